"""The environment in, the folder for things that can be made again out, and what is in it."""

import os
from collections.abc import Mapping
from pathlib import Path

MINILM = "all-minilm-l6-v2-onnx-1"  # the last number grows whenever a built graph changes


def cache_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """RECOLLECT_CACHE, else recollect's part of XDG_CACHE_HOME, else of ~/.cache."""
    if own := environment.get("RECOLLECT_CACHE"):
        return Path(own).expanduser()
    if shared := environment.get("XDG_CACHE_HOME"):
        return Path(shared).expanduser() / "recollect"
    return Path.home() / ".cache" / "recollect"


def minilm_folder(cache: Path) -> Path:
    return cache / "models" / MINILM


def is_installed(cache: Path) -> bool:
    """The folder appears by one rename after everything in it was checked, so it is whole."""
    return minilm_folder(cache).is_dir()
