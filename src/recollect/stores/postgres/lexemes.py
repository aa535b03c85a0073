"""The words of a passage in, what a tsvector holds of them out; and a query's tree in, a tsquery out.

Pure, and both in one place, since they must agree. A token stands twice at its position: by its stem
(`run`) and in its exact form (`=running`). Single characters of scripts without spaces are stems too,
at positions of their own. A field is a weight, and a gap is between fields, so that no phrase goes
across. No text whatever becomes an error of syntax: every lexeme is quoted.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple

from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.words import stem
from recollect.stores.fields import FIELD_WEIGHTS
from recollect.stores.passage_words import FieldWords
from recollect.stores.trees import Leaf, Wanted, checked_field

LABELS: Final = {"title": "A", "tag": "B", "path": "C", "text": "D"}
EXACT: Final = "="

LAST_POSITION: Final = 16_383  # a tsvector has no further ones: what comes later stands there too
MOST_POSITIONS: Final = 255  # of one lexeme
MOST_BYTES: Final = 900_000  # of one tsvector; Postgres allows 1 MB
LONGEST: Final = 500  # bytes of a lexeme; Postgres allows 2,046
_TOKEN: Final = re.compile("[a-z0-9\u0080-\ud7ff\ue000-\U0010ffff]+")
_NEVER: Final = "' '"  # no token holds a space, so nothing matches this


class Row(NamedTuple):
    """A passage as its words: the tsvector as text, its terms, and how long it counts as."""

    vector: str
    terms: frozenset[str]
    length: float


def row_of(words: Mapping[str, FieldWords], language: str) -> Row:
    length = sum(FIELD_WEIGHTS[name] * len(own.tokens) for name, own in words.items())
    tokens, singles = _places_of(words)
    places: dict[str, list[str]] = {}
    for token, own in tokens.items():
        stemmed, exact = _lexemes(token, language)
        places[stemmed] = places[stemmed] + own if stemmed in places else own
        places[exact] = own
    for character, own in singles.items():
        places[character] = places.get(character, []) + own
    kept = _fitting(places)
    vector = " ".join([f"{quoted(one)}:{','.join(_first(own))}" for one, own in kept.items()])
    return Row(vector, frozenset([one for one in kept if not one.startswith(EXACT)]), length)


Places = defaultdict[str, list[str]]


def _places_of(words: Mapping[str, FieldWords]) -> tuple[Places, Places]:
    """Where each token stands, and each single character. After a field there is a gap, so that no
    phrase goes on in what follows."""
    tokens: Places = defaultdict(list)
    singles: Places = defaultdict(list)
    reached = 0
    for name in FIELD_WEIGHTS:
        own, label = words[name], LABELS[name]
        _stand(tokens, own.tokens, label, reached)
        reached += len(own.tokens) + 1
        if own.singles:
            _stand(singles, own.singles, label, reached)
            reached += len(own.singles) + 1
    return tokens, singles


def _stand(found: Places, standing: Sequence[str], label: str, reached: int) -> None:
    for one, place in zip(standing, _places(label, reached, len(standing)), strict=True):
        found[one].append(place)


def _places(label: str, reached: int, count: int) -> list[str]:
    known = _labelled_places(label)[reached : reached + count]
    return known + [f"{LAST_POSITION}{label}"] * (count - len(known))


@lru_cache
def _labelled_places(label: str) -> list[str]:
    return [f"{position}{label}" for position in range(1, LAST_POSITION + 1)]


def _first(places: list[str]) -> list[str]:
    if len(places) <= MOST_POSITIONS:
        return places
    return sorted(places, key=lambda place: int(place[:-1]))[:MOST_POSITIONS]


@lru_cache(maxsize=200_000)
def _lexemes(token: str, language: str) -> tuple[str, str]:
    return lexeme_of(stem(token, language)), lexeme_of(token, EXACT)


def _fitting(places: dict[str, list[str]]) -> dict[str, list[str]]:
    """As many as a tsvector has room for, those that come first."""
    if len(places) * (LONGEST + 8 + 2 * MOST_POSITIONS) <= MOST_BYTES:
        return places
    room, kept = MOST_BYTES, {}
    for lexeme, own in places.items():
        room -= len(lexeme.encode()) + 8 + 2 * min(len(own), MOST_POSITIONS)
        if room < 0:
            break
        kept[lexeme] = own
    return kept


def lexeme_of(token: str, mark: str = "") -> str:
    """A token too long to be a lexeme is known by its beginning and its digest."""
    if 4 * len(token) <= LONGEST:  # the usual case, without a look at its bytes
        return mark + token
    encoded = token.encode("utf-8", "surrogatepass")
    if len(encoded) <= LONGEST:
        return mark + token
    return f"{mark}{beginning_of(token)}#{blake2b(encoded, digest_size=16).hexdigest()}"


def beginning_of(token: str) -> str:
    encoded = token.encode("utf-8", "surrogatepass")
    return token if len(encoded) <= LONGEST else encoded[:LONGEST].decode("utf-8", "ignore")


def quoted(lexeme: str) -> str:
    if "'" in lexeme or "\\" in lexeme:
        lexeme = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{lexeme}'"


def expression(node: Node, language: str, field: str | None = None) -> str:
    match node:
        case Word() | Phrase() | Prefix():
            return leaf_expression(node, language, field)
        case In(name, child):
            return expression(child, language, checked_field(name))
        case But(wanted, unwanted):
            kept, gone = (expression(one, language, field) for one in (wanted, unwanted))
            return f"({kept} & !({gone}))"
        case And(nodes):
            return _joined(" & ", (expression(child, language, field) for child in nodes))
        case Or(nodes) | Bag(nodes):
            return any_of(expression(child, language, field) for child in nodes)


def any_of(expressions: Iterable[str]) -> str:
    return _joined(" | ", expressions)


def leaf_expression(leaf: Leaf, language: str, field: str | None = None) -> str:
    label = "" if field is None else LABELS[field]
    match leaf:
        case Word(text):
            term = term_of(leaf, language)
            return _NEVER if term is None or not _is_token(text) else _labelled(term, label)
        case Phrase((only,)) if len(only) == 1 and not only.isascii():
            return _labelled(only, label) if _is_token(only) else _NEVER
        case Phrase(words):
            if not words or not all(map(_is_token, words)):
                return _NEVER
            exact = [_labelled(lexeme_of(word, EXACT), label) for word in words]
            return exact[0] if len(exact) == 1 else f"({' <-> '.join(exact)})"
        case Prefix(text):
            start = beginning_of(text)
            return _labelled(EXACT + start, f"*{label}") if _is_token(start) else _NEVER


def term_of(leaf: Leaf, language: str) -> str | None:
    """The one lexeme that a word is matched by; None for a phrase or a prefix."""
    return lexeme_of(stem(leaf.text, language)) if isinstance(leaf, Word) else None


def term_of_wanted(wanted: Wanted, language: str) -> str | None:
    """The lexeme whose rarity is counted in advance: that of a word wherever it stands."""
    leaf, field = wanted
    return term_of(leaf, language) if field is None else None


def _is_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def _labelled(lexeme: str, label: str) -> str:
    return f"{quoted(lexeme)}:{label}" if label else quoted(lexeme)


def _joined(operator: str, parts: Iterable[str]) -> str:
    several = list(parts)
    return several[0] if len(several) == 1 else f"({operator.join(several)})"
