"""Records as JSON Lines, the same whatever store they come from or go to. Pure."""

from typing import Final

FORMAT: Final = "recollect export"
VERSION: Final = 1
