"""A vault's folder in, its checked configuration out. Reads one file, which need not be there."""

from pathlib import Path
from typing import Final

from recollect.ingest.config import VaultConfig, config_of
from recollect.model.errors import BadInput

CONFIG: Final = ".recollect/config.toml"
"""In a folder of its own: a bare `config.toml` in a folder of notes is often a site generator's."""


def load_config(root: Path) -> VaultConfig:
    place = root / CONFIG
    try:
        text = place.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return VaultConfig()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput("config.toml", str(place), f"cannot be read: {problem}") from problem
    return config_of(text)
