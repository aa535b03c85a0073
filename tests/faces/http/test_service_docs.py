"""docs/service.md: its curl lines run as they stand, and it names every address there is."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.faces.http.server import Client

PAGE = (Path(__file__).parents[3] / "docs/service.md").read_text(encoding="utf-8")


@pytest.mark.skipif(
    shutil.which("curl") is None and "RECOLLECT_BROWSER_REQUIRED" not in os.environ,
    reason="no curl here",
)
def test_every_curl_line_works_as_written_on_this_port(client: Client) -> None:
    blocks = re.findall(r"```sh\n(.+?)```", PAGE, re.DOTALL)
    commands = [
        line
        for block in blocks
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("curl")
    ]
    assert len(commands) >= 6
    for command in commands:
        words = shlex.split(command.replace("localhost:4000", f"localhost:{client.port}"))
        ran = subprocess.run([*words, "-sS", "--fail"], capture_output=True, text=True, check=False)  # noqa: S603
        assert ran.returncode == 0, f"{command}: {ran.stderr}"
        assert isinstance(json.loads(ran.stdout), dict)
    assert client.get("/settings").body == {"semanticWeight": 0.5, "keywordWeight": 2.0}


def test_every_address_is_in_the_docs_and_no_other(client: Client) -> None:
    paths = client.get("/openapi.json").body["paths"]
    served = {f"{method.upper()} {path}" for path, own in paths.items() for method in own}
    table = "\n".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    told = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`?]*)`", table))
    assert told == served
