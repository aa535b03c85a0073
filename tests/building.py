"""Notes, clocks and questions for tests, with as little said as possible."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from recollect.encoders.hashing import Hashing
from recollect.engine.ask import ask
from recollect.engine.learn import embed_waiting, learn
from recollect.model.answer import Answer
from recollect.model.note import Note
from recollect.model.query import Query, Scope
from recollect.ports import Embedder, Judge, Store
from recollect.recipes.recipe import Recipe

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EVERYTHING = Scope.of("home")


class StillClock:
    """A clock that stands still: the same answer to the last digit, every time."""

    def now(self) -> datetime:
        return NOW

    def seconds(self) -> float:
        return 0.0


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def note(note_id: str, text: str = "", *, age_days: float = 100, **rest: Any) -> Note:
    moment = days_ago(age_days)
    usual: dict[str, Any] = {
        "id": note_id,
        "space": "home",
        "text": text or note_id,
        "path": f"{note_id}.md",
        "created_at": moment,
        "modified_at": moment,
    }
    return Note(**(usual | rest))


@dataclass
class Home:
    """A store with a few notes in it, ready to be asked."""

    store: Store
    embedder: Embedder | None = None
    judge: Judge | None = None

    def learn(self, *notes: Note) -> "Home":
        learn(notes, self.store.writer)
        if self.embedder and self.store.vector_writer:
            embed_waiting(self.store.vector_writer, self.embedder)
        return self

    def ask(self, text: str, recipe: Recipe, scope: Scope = EVERYTHING, **rest: Any) -> Answer:
        query = Query(text, scope, NOW, **rest)
        return ask(query, recipe, self.store.ports(StillClock(), self.embedder, self.judge))


def ids(answer: Answer) -> list[str]:
    return [result.note_id for result in answer.results]


def embed_all(store: Store, embedder: Embedder | None = None) -> Embedder:
    model = embedder or Hashing()
    assert store.vector_writer is not None
    embed_waiting(store.vector_writer, model)
    return model


def put(store: Store, *notes: Note) -> None:
    learn(notes, store.writer)


def hit_ids(hits: Iterable[Any]) -> list[str]:
    return [hit.note_id for hit in hits]


def coverage(store: Store, model: str) -> tuple[int, int]:
    """How many passages have a vector of this model, out of how many."""
    told = store.catalogue.counts()
    return sum(one.embedded for one in told.models if one.identity == model), told.passages
