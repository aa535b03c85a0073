"""A phrase, a prefix or a word in, how often it stands in a passage out, field by field. Pure."""

from recollect.model.tree import Phrase, Prefix, Word
from recollect.retrieve.words import stem
from recollect.stores.fields import FIELD_WEIGHTS
from recollect.stores.sqlite.fts import Leaf
from recollect.stores.sqlite.terms import Field


def occurrences(leaf: Leaf, fields: dict[str, Field]) -> float:
    """Each place counts as much as its field."""
    return sum(FIELD_WEIGHTS[name] * _count(leaf, field) for name, field in fields.items())


def _count(leaf: Leaf, field: Field) -> int:
    if not field.tokens:
        return 0
    match leaf:
        case Word(text):
            wanted = stem(text)
            return sum(stem(word) == wanted for word in field.words()) + _singles(field, text)
        case Prefix(text):
            return f" {field.tokens}".count(f" {text}")
        case Phrase((only,)):
            return field.words().count(only) + _singles(field, only)
        case Phrase(words):
            return _overlapping(f" {field.tokens} ", f" {' '.join(words)} ")


def _singles(field: Field, text: str) -> int:
    return field.singles().count(text) if len(text) == 1 else 0


def _overlapping(tokens: str, wanted: str) -> int:
    """`str.count` would count "a a" only once in "a a a"."""
    count, at = 0, tokens.find(wanted)
    while at >= 0:
        count, at = count + 1, tokens.find(wanted, at + 1)
    return count
