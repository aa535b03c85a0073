"""The environment in, the folder for things that can be made again out."""

import os
from collections.abc import Mapping
from pathlib import Path


def cache_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """RECOLLECT_CACHE, else recollect's part of XDG_CACHE_HOME, else of ~/.cache."""
    if own := environment.get("RECOLLECT_CACHE"):
        return Path(own).expanduser()
    if shared := environment.get("XDG_CACHE_HOME"):
        return Path(shared).expanduser() / "recollect"
    return Path.home() / ".cache" / "recollect"
