"""The spaces that are meant where none is named."""

from typing import Final

MEMORY: Final = "memory"
CHAT: Final = "chat"
