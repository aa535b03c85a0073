"""A phrase, a prefix or a word in; what counts it in one field of a passage out. Pure."""

from collections.abc import Callable

from recollect.model.tree import Phrase, Prefix, Word
from recollect.retrieve.words import stem
from recollect.stores.sqlite.terms import Field
from recollect.stores.trees import Leaf

Count = Callable[[str, str], int]
"""How often it stands in a field, of which the tokens and the stems are given."""


def counter(leaf: Leaf) -> Count:
    match leaf:
        case Word(text):
            wanted = stem(text)
            return lambda tokens, stems: (
                sum(stem(word) == wanted for word in tokens.split()) + _singles(stems, text)
            )
        case Prefix(text):
            start = f" {text}"
            return lambda tokens, _: f" {tokens}".count(start)
        case Phrase((only,)):
            return lambda tokens, stems: tokens.split().count(only) + _singles(stems, only)
        case Phrase(words):
            phrase = f" {' '.join(words)} "
            return lambda tokens, _: _overlapping(f" {tokens} ", phrase)


def _singles(stems: str, text: str) -> int:
    return Field("", stems).singles().count(text) if len(text) == 1 else 0


def _overlapping(tokens: str, wanted: str) -> int:
    """`str.count` would count "a a" only once in "a a a"."""
    count, at = 0, tokens.find(wanted)
    while at >= 0:
        count, at = count + 1, tokens.find(wanted, at + 1)
    return count
