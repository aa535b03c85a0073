"""A prompt in; the memories that belong to it out, unless it stays on the topic just answered.

Embed once, ask the gate, search, keep the best, hand them over, and then keep what has arrived and
count it as shown. A prompt that cannot be embedded is an error, and nothing is written (R1.7).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.engine.ask import ask
from recollect.engine.plan import NO_MEANING
from recollect.engine.tell import HandOver, all_arrives, tell
from recollect.model.answer import Answer, Result
from recollect.model.errors import LegFailed
from recollect.model.note import Note
from recollect.model.query import Query, number_of
from recollect.model.recollection import Memory, Recollection, Topic
from recollect.ports import Embedder, Ports, Recollections, UsageLog, Vector
from recollect.recipes.recipe import Recipe
from recollect.retrieve.parse import parse

SAME_TOPIC: Final = 0.85
"""Cosine of two prompts from which the second stays on the topic of the first (seed 000's gate)."""
WHOLE: Final = 2_000
"""A memory of up to so many characters is handed over whole, a longer one by its best lines."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets a prompt through unless it is this like the one answered last; `forced` opens it."""

    threshold: float = SAME_TOPIC
    forced: bool = False

    def __post_init__(self) -> None:
        number_of("threshold", self.threshold, low=-1, high=1)

    def stops(self, likeness: float | None) -> bool:
        return likeness is not None and not self.forced and likeness >= self.threshold


@dataclass(frozen=True, slots=True)
class Recollected:
    """What came of a prompt. Where the gate stopped it there is no answer and nothing was written."""

    recollection: Recollection | None
    answer: Answer | None
    likeness: float | None
    """Cosine with the prompt answered last in this session; None where there was none."""

    @property
    def skipped(self) -> bool:
        return self.answer is None


class Reckoned:
    """An embedder that has the vector already: the gate and the search share one embedding."""

    may_wait = False

    def __init__(self, embedder: Embedder, vector: Vector) -> None:
        self.identity = embedder.identity
        self.dimensions = embedder.dimensions
        self.weak = embedder.weak
        self._vector = vector

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.tile(self._vector, (len(texts), 1))


def recollect(
    query: Query,
    session: str,
    recipe: Recipe,
    ports: Ports,
    usage: UsageLog,
    kept: Recollections,
    gate: Gate = Gate(),
    hand_over: HandOver = all_arrives,
) -> Recollected:
    embedder = _embedder(ports)
    vector = _embedded(query.text, embedder)
    with kept.turn(session):
        likeness = _likeness(kept.last(session), embedder.identity, vector)
        if gate.stops(likeness):
            return Recollected(None, None, likeness)
        answer = ask(query, recipe, ports._replace(embedder=Reckoned(embedder, vector)))
        topic = Topic(embedder.identity, tuple(map(float, vector)))
        best = Recollection(session, query.now, _memories(answer, ports), topic=topic)
        return Recollected(tell(best, usage, kept, hand_over), answer, likeness)


def _embedder(ports: Ports) -> Embedder:
    if ports.embedder is None or ports.vectors is None:
        raise LegFailed("meaning", NO_MEANING)
    return ports.embedder


def _embedded(text: str, embedder: Embedder) -> Vector:
    wording = parse(text, "plain").wording
    try:
        vector: Vector = embedder.embed([wording])[0]
    except Exception as error:  # whatever broke: the caller is told, and nothing is written
        raise LegFailed("meaning", f"{type(error).__name__}: {error}") from error
    if not vector.any():
        raise LegFailed("meaning", f"{embedder.identity} finds nothing to embed in this prompt")
    return vector


def _likeness(last: Recollection | None, model: str, vector: Vector) -> float | None:
    if last is None or last.topic is None or last.topic.model != model:
        return None
    before = np.asarray(last.topic.vector, dtype=np.float32)
    if before.shape != vector.shape:
        return None
    return float(before @ vector / (np.linalg.norm(before) * np.linalg.norm(vector)))


def _memories(answer: Answer, ports: Ports) -> tuple[Memory, ...]:
    if not answer.results:
        return ()
    notes = ports.shelf.notes(one.note_id for one in answer.results)
    return tuple(_memory(one, notes[one.note_id]) for one in answer.results if one.note_id in notes)


def _memory(result: Result, note: Note) -> Memory:
    return memory_of(note, result.snippet, result.score, why(result))


def memory_of(note: Note, lines: str, score: float = 0.0, reasons: tuple[str, ...] = ()) -> Memory:
    """A note ready to be handed over: whole, or by these lines of it where it is long."""
    whole = f"{note.title}: {note.text}" if note.title else note.text
    text = whole if len(whole) <= WHOLE else lines
    return Memory(note.id, text, note.created_at, note.importance, score, reasons)


def why(result: Result) -> tuple[str, ...]:
    legs = (f"{leg} rank {share.rank}" for leg, share in result.legs.items())
    return (*legs, *(step.why for step in result.adjustments))
