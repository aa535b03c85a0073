"""A passage in, the words its full-text row holds out; and such a row in, its counted terms out. Pure.

A term is what a `Word` of a query is matched by: a stem, or a single character of a script written
without spaces. A phrase or a prefix is matched by the exact tokens.
"""

from collections import Counter
from typing import Final, NamedTuple

from recollect.model.note import Document
from recollect.retrieve.words import stem
from recollect.stores.fields import FIELD_WEIGHTS
from recollect.stores.passage_words import FieldWords, passage_words

_LONGEST_FIRST: Final = tuple(reversed(tuple(FIELD_WEIGHTS.items())))


class Field(NamedTuple):
    """One field of one passage: its tokens in order, and what else it is found by."""

    tokens: str
    stems: str

    def words(self) -> list[str]:
        return self.tokens.split()

    def singles(self) -> list[str]:
        """Only tokens of ASCII have another stem, and only other scripts have single characters."""
        return [] if self.stems.isascii() else [s for s in self.stems.split() if not s.isascii()]


class WordRow(NamedTuple):
    """The columns of `passage_words`, in their order."""

    title: str
    tag: str
    path: str
    text: str
    title_stems: str
    tag_stems: str
    path_stems: str
    text_stems: str

    def field(self, name: str) -> Field:
        return Field(getattr(self, name), getattr(self, f"{name}_stems"))


class Counted(NamedTuple):
    """What BM25 needs of a passage; each place counts as much as its field."""

    terms: dict[str, float]
    length: float


def word_rows(document: Document) -> list[WordRow]:
    """One row for each passage, in their order."""
    rows = []
    for words in passage_words(document):
        title, tag, path, text = (_field(words[name]) for name in FIELD_WEIGHTS)
        rows.append(
            WordRow(
                *(title.tokens, tag.tokens, path.tokens, text.tokens),
                *(title.stems, tag.stems, path.stems, text.stems),
            )
        )
    return rows


def counted(row: WordRow) -> Counted:
    terms: dict[str, float] = {}
    length = 0.0
    for name, weight in _LONGEST_FIRST:
        field = row.field(name)
        words = field.words()
        length += weight * len(words)
        counts = Counter(map(stem, words))
        counts.update(field.singles())
        if not terms and weight == 1:
            terms = dict(
                counts
            )  # nothing to add to and nothing to weigh, which saves half the time
            continue
        for term, count in counts.items():
            terms[term] = terms.get(term, 0.0) + weight * count
    return Counted(terms, length)


def _field(words: FieldWords) -> Field:
    stems = [found for word in dict.fromkeys(words.tokens) if (found := stem(word)) != word]
    return Field(" ".join(words.tokens), " ".join((*dict.fromkeys(stems), *words.singles)))
