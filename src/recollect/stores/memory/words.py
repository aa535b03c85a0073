"""Full text over plain dictionaries: boolean matching on a tree, BM25 for the order."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from recollect.model.note import Document, Passage
from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.trigram import THRESHOLD, resemblance
from recollect.retrieve.words import stem
from recollect.stores.fields import BM25_B, BM25_K1, FIELD_WEIGHTS
from recollect.stores.hits import in_order
from recollect.stores.memory.state import State
from recollect.stores.passage_words import FieldWords, passage_words
from recollect.stores.trees import leaves


@dataclass(frozen=True, slots=True)
class _Page:
    """One passage as its words, field by field."""

    passage: Passage
    words: Mapping[str, FieldWords]

    @property
    def length(self) -> float:
        return sum(FIELD_WEIGHTS[name] * len(own.tokens) for name, own in self.words.items())


class MemoryWords:
    may_wait = False

    def __init__(self, state: State) -> None:
        self._state = state

    def compiled(self, query: Node) -> str:
        return _spelled(query)

    def find(self, query: Node, scope: Scope, depth: int) -> Sequence[Hit]:
        everything = [page for one in self._state.documents.values() for page in _pages(one)]
        seen = {one.note.id for one in self._state.seen_in(scope)}
        matching = [
            page for page in everything if page.passage.note_id in seen and _holds(query, page)
        ]
        score = _bm25(query, everything)
        hits = [Hit(page.passage.note_id, score(page), page.passage.id) for page in matching]
        return in_order(hits)[:depth]

    def containing(self, query: Node, note_ids: Iterable[str]) -> frozenset[str]:
        documents = (self._state.documents.get(note_id) for note_id in note_ids)
        return frozenset(
            one.note.id
            for one in documents
            if one is not None and any(_holds(query, page) for page in _pages(one))
        )

    def resembling(self, words: Sequence[str], scope: Scope, depth: int) -> Sequence[Hit]:
        alike = [
            (resemblance(words, one.note.path), one.note.path, one.passages[0])
            for one in self._state.seen_in(scope)
        ]
        best = sorted(
            (-much, path, lead.id, lead) for much, path, lead in alike if much >= THRESHOLD
        )
        return [Hit(lead.note_id, -much, lead.id) for much, _, _, lead in best[:depth]]


def _pages(document: Document) -> list[_Page]:
    words = passage_words(document)
    return [_Page(passage, own) for passage, own in zip(document.passages, words, strict=True)]


def _holds(node: Node, page: _Page, field: str | None = None) -> bool:
    match node:
        case And(nodes):
            return all(_holds(child, page, field) for child in nodes)
        case Or(nodes) | Bag(nodes):
            return any(_holds(child, page, field) for child in nodes)
        case But(wanted, unwanted):
            return _holds(wanted, page, field) and not _holds(unwanted, page, field)
        case In(name, child):
            return _holds(child, page, name)
        case Word() | Phrase() | Prefix():
            return _frequency(node, page, field) > 0


def _frequency(leaf: Word | Phrase | Prefix, page: _Page, field: str | None) -> float:
    """How often it stands in the page, each place weighted by its field."""
    fields = FIELD_WEIGHTS if field is None else (field,)
    return sum(FIELD_WEIGHTS[name] * _count(leaf, page, name) for name in fields)


def _count(leaf: Word | Phrase | Prefix, page: _Page, name: str) -> int:
    words, singles = page.words[name]
    match leaf:
        case Word(text):
            same_stem = sum(stem(word) == stem(text) for word in words)
            return same_stem + singles.count(text)
        case Prefix(text):
            return sum(word.startswith(text) for word in words)
        case Phrase((only,)):
            return words.count(only) + singles.count(only)
        case Phrase(wanted):
            last = len(words) - len(wanted)
            return sum(tuple(words[at : at + len(wanted)]) == wanted for at in range(last + 1))


def _bm25(query: Node, everything: Sequence[_Page]) -> Callable[[_Page], float]:
    """The usual formula; how rare a word is counts over the whole store, whatever the scope."""
    scored = leaves(query)
    count = len(everything)
    average = sum(page.length for page in everything) / count if count else 1.0
    rarity = []
    for leaf, field in scored:
        holding = sum(_frequency(leaf, page, field) > 0 for page in everything)
        rarity.append(math.log(1 + (count - holding + 0.5) / (holding + 0.5)))

    def score(page: _Page) -> float:
        damping = BM25_K1 * (1 - BM25_B + BM25_B * page.length / average) if average else BM25_K1
        frequencies = [_frequency(leaf, page, field) for leaf, field in scored]
        return math.fsum(
            rare * often * (BM25_K1 + 1) / (often + damping)
            for rare, often in zip(rarity, frequencies, strict=True)
        )

    return score


def _spelled(node: Node) -> str:
    """The tree as a person would write it, every group in brackets."""
    match node:
        case Word(text):
            return text
        case Prefix(text):
            return f"{text}*"
        case Phrase(words):
            return f'"{" ".join(words)}"'
        case In(field, child):
            return f"{field}:{_spelled(child)}"
        case But(wanted, unwanted):
            return f"({_spelled(wanted)} NOT {_spelled(unwanted)})"
        case And(nodes):
            return f"({' AND '.join(map(_spelled, nodes))})"
        case Or(nodes):
            return f"({' OR '.join(map(_spelled, nodes))})"
        case Bag(nodes):
            return f"({' '.join(map(_spelled, nodes))})"
