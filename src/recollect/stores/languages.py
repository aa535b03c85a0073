"""The language of each space, as a setting (owner `languages`: space to language). Pure."""

from collections.abc import Mapping
from typing import Any, Final

from recollect.model.errors import BadInput
from recollect.retrieve.words import ENGLISH, LANGUAGES

OWNER: Final = "languages"


def check_languages(owner: str, changes: Mapping[str, Any]) -> None:
    if owner == OWNER:
        for value in changes.values():
            if value is not None and value not in LANGUAGES:
                raise BadInput("language", value, f"is not one of {', '.join(LANGUAGES)}")


def check_english(owner: str, changes: Mapping[str, Any]) -> None:
    """For a store that takes words apart in English only."""
    check_languages(owner, changes)
    for space, value in changes.items() if owner == OWNER else ():
        if value not in (None, ENGLISH):
            why = f"cannot be the language of {space!r}: a file speaks English; keep it in Postgres"
            raise BadInput("language", value, why)
