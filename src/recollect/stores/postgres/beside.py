"""Where this machine keeps what goes with a store that is elsewhere: a folder of the user's own."""

import os
import re
from pathlib import Path
from zlib import crc32


def beside(shown: str, schema: str) -> str:
    """One path for each store, the same every time; its name says which store, near enough."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    name = f"{shown}#{schema}"
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
    return str(data / "recollect" / f"{plain}-{crc32(name.encode()):08x}")
