"""A document in, the words of each of its passages out, field by field, as every store counts them. Pure."""

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import Stemmer

from recollect.model.note import Document
from recollect.retrieve.words import single_characters, tokens
from recollect.stores.fields import FIELD_WEIGHTS

EDITION: Final = f"1/{unicodedata.unidata_version}/{Stemmer.version()}"
"""Words taken apart in another edition may differ from those a query of this one looks for."""
COUNTING: Final = f"{EDITION}/{'/'.join(f'{weight:g}' for weight in FIELD_WEIGHTS.values())}"
"""Terms and lengths counted under other weights are other counts: what holds them is made again."""


class FieldWords(NamedTuple):
    """The tokens of a field in their order, and the single characters of its unspaced scripts."""

    tokens: list[str]
    singles: list[str]


def passage_words(document: Document) -> Iterator[Mapping[str, FieldWords]]:
    """One mapping for each passage, in their order; what the note says is taken apart once."""
    note = document.note
    shared = {
        "title": field_words(note.title),
        "tag": field_words(" ".join(note.tags)),
        "path": field_words(note.path),
    }
    for passage in document.passages:
        yield {**shared, "text": field_words(" ".join((*passage.heading, passage.text)))}


def field_words(text: str) -> FieldWords:
    return FieldWords(tokens(text), [] if text.isascii() else single_characters(text))
