"""The meaning leg: the query embedded, then compared with the whole scope or with a pool; hits out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from recollect.engine.crew import Crew
from recollect.engine.plan import Plan
from recollect.model.errors import EncoderError
from recollect.model.ranking import Hit
from recollect.ports import Embedder, Ports, Vector, Vectors
from recollect.recipes.recipe import ByMeaning, Pool, depth_for


@dataclass(frozen=True, slots=True)
class MeaningFound:
    hits: tuple[Hit, ...]
    pool: frozenset[str] | None = None
    """The only notes this search may return; None where the recipe has no pool."""


Finish = Callable[[Iterable[str]], MeaningFound | None]
"""Takes the notes that the words found, for they join the pool; gives what meaning found."""


def start_meaning(plan: Plan, leg: ByMeaning, ports: Ports, crew: Crew) -> Finish:
    """Begins at once, so that embedding and the words leg run side by side."""
    if ports.embedder is None or ports.vectors is None:
        raise EncoderError("the meaning leg was planned without an embedder")
    if plan.recipe.pool is not None:
        return _over_pool(plan, plan.recipe.pool, ports.embedder, ports.vectors, crew)
    return _over_scope(plan, leg, ports.embedder, ports.vectors, crew)


def _over_scope(
    plan: Plan, leg: ByMeaning, embedder: Embedder, vectors: Vectors, crew: Crew
) -> Finish:
    scope, depth = plan.query.scope, depth_for(leg, plan.limit)

    def nearest() -> tuple[Sequence[Hit], int]:
        vector = _embedded(plan.parsed.wording, embedder)
        hits = vectors.nearest(embedder.identity, vector, scope, depth)
        return hits, vectors.missing(embedder.identity)

    errand = crew.start("meaning", nearest)

    def finish(_: Iterable[str]) -> MeaningFound | None:
        found = crew.collect(errand)
        if found is None:
            return None
        hits, missing = found
        _say_what_is_missing(missing, embedder, crew)
        return MeaningFound(tuple(hits))

    return finish


def _over_pool(plan: Plan, pool: Pool, embedder: Embedder, vectors: Vectors, crew: Crew) -> Finish:
    model, scope = embedder.identity, plan.query.scope
    embedded = crew.start("meaning", lambda: _embedded(plan.parsed.wording, embedder))
    nominated = crew.start(
        "pool", lambda: vectors.recently_accessed(model, scope, pool.recently_accessed)
    )

    def finish(found_by_words: Iterable[str]) -> MeaningFound | None:
        vector = crew.collect(embedded)
        candidates = dict.fromkeys((*(crew.collect(nominated) or ()), *found_by_words))
        if vector is None:
            return None
        if not candidates:
            return MeaningFound((), frozenset())
        compare = crew.start(
            "meaning",
            lambda: (vectors.similarities(model, vector, candidates), vectors.missing(model)),
        )
        found = crew.collect(compare)
        if found is None:
            return None
        hits, missing = found
        _say_what_is_missing(missing, embedder, crew)
        return MeaningFound(tuple(hits), frozenset(hit.note_id for hit in hits))

    return finish


def _say_what_is_missing(missing: int, embedder: Embedder, crew: Crew) -> None:
    """Notes without a vector are found by their words only, and the answer says so."""
    if missing > 0:
        plural = "passage has" if missing == 1 else "passages have"
        crew.note("meaning", "partial", f"{missing} {plural} no vector of {embedder.identity} yet")


def _embedded(text: str, embedder: Embedder) -> Vector:
    vector: Vector = embedder.embed([text])[0]
    if not vector.any():
        raise EncoderError(f"{embedder.identity} finds nothing to embed in this query")
    return vector
