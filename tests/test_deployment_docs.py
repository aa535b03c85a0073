"""docs/deployment.md: its config is accepted, what it says to watch is there, its sums are right."""

import re
import tomllib
from pathlib import Path

from recollect.open import open_library
from recollect.open.config import config_of
from tests.faces.http.server import serving

PAGE = (Path(__file__).parents[1] / "docs/deployment.md").read_text(encoding="utf-8")


def test_the_config_that_is_shown_is_accepted() -> None:
    [shown] = re.findall(r"```toml\n(.+?)```", PAGE, re.DOTALL)
    assert config_of(tomllib.loads(shown)).store["replica"]


def test_whatever_is_to_be_watched_is_among_the_metrics(tmp_path: Path) -> None:
    with open_library(tmp_path / "store.db", model=None) as library, serving(library) as client:
        client.post("/search", {"query": "anything"})
        told = client.get("/metrics").body
    named = set(re.findall(r"`(recollect_\w+)`", PAGE))
    assert len(named) >= 9
    assert named <= set(re.findall(r"^# TYPE (\w+)", told, re.MULTILINE))


def test_the_table_of_sizes_adds_up() -> None:
    rows = [
        tuple(int(number.replace(",", "")) for number in pair)
        for pair in re.findall(r"^\| [^|]+ \| ([\d,]+) \| ([\d,]+) \|$", PAGE, re.MULTILINE)
    ]
    *parts, total = rows
    assert len(parts) == 4
    assert total == tuple(map(sum, zip(*parts, strict=True)))
