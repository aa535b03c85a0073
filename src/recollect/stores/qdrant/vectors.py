"""Finding by meaning in Qdrant. The scope is in its filter, and the store confirms every hit: what it
says is gone, changed or outside is never returned, and more is asked for in its place."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from recollect.model.errors import VectorsAway
from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.ports import Store, Vector
from recollect.stores.qdrant.behind import Behind
from recollect.stores.qdrant.collections import Collections
from recollect.stores.qdrant.filters import any_of, filter_for, sees_nothing
from recollect.stores.qdrant.line import NotThere
from recollect.stores.qdrant.points import point_of

if TYPE_CHECKING:
    from qdrant_client.models import Filter, ScoredPoint, SearchParams

_SPARE: Final = 16
_WIDER: Final = 4
_LIKELY: Final = 4  # passages of a note, as a first guess


class QdrantVectors:
    def __init__(self, store: Store, collections: Collections, behind: Behind) -> None:
        self.may_wait = collections.line.address.remote
        self._store = store
        self._collections = collections
        self._ledger = collections.ledger
        self._behind = behind

    def nearest(self, model: str, vector: Vector, scope: Scope, depth: int) -> Sequence[Hit]:
        if depth < 1 or sees_nothing(scope) or not self._ledger.embedded(model):
            return []
        wanted = filter_for(scope, self._store.roster, self._behind.notes())
        asked = depth + _SPARE
        while True:
            found = self._asked(model, vector, wanted, asked)
            hits = self._confirmed(found, scope)
            if len(found) < asked or _is_enough(hits, found[-1].score, depth):
                return hits[:depth]
            asked *= _WIDER

    def similarities(self, model: str, vector: Vector, note_ids: Iterable[str]) -> Sequence[Hit]:
        from qdrant_client.models import Filter

        wanted = sorted(set(note_ids))
        if not wanted or not self._ledger.embedded(model):
            return []
        asked = len(wanted) * _LIKELY
        own = Filter(must=[any_of("note", wanted)])
        while len(found := self._asked(model, vector, own, asked)) == asked:
            asked *= _WIDER
        best: dict[str, Hit] = {}
        for hit in self._real(found):
            best.setdefault(hit.note_id, hit)
        return list(best.values())

    def missing(self, model: str) -> int:
        return self._ledger.vectors.missing(self._ledger.entry(model))

    def recently_accessed(self, model: str, scope: Scope, count: int) -> Sequence[str]:
        return self._ledger.vectors.recently_accessed(self._ledger.entry(model), scope, count)

    def _asked(
        self, model: str, vector: Vector, wanted: "Filter", limit: int
    ) -> "list[ScoredPoint]":
        name, how = self._ledger.collection(model), self._how(model)
        try:
            return self._collections.line.call(
                lambda qdrant: qdrant.query_points(
                    name,
                    query=vector.tolist(),
                    query_filter=wanted,
                    search_params=how,
                    limit=limit,
                    with_payload=["passage"],
                )
            ).points
        except NotThere as error:
            raise VectorsAway(f"{error}; recollect doctor --repair embeds it anew") from error

    def _how(self, model: str) -> "SearchParams | None":
        from qdrant_client.models import SearchParams

        address = self._collections.line.address
        if not address.remote:  # local mode compares every vector whatever it is told
            return None
        return SearchParams(exact=self._ledger.embedded(model) <= address.exact_below)

    def _confirmed(self, found: "Sequence[ScoredPoint]", scope: Scope) -> list[Hit]:
        hits = self._real(found)
        seen = self._store.shelf.seen((hit.note_id for hit in hits), scope)
        return [hit for hit in hits if hit.note_id in seen]

    def _real(self, found: "Sequence[ScoredPoint]") -> list[Hit]:
        """The points that stand for a passage as it is now, best first."""
        scores = {str(one.id): one.score for one in found}
        named = (str((one.payload or {}).get("passage")) for one in found)
        hits = [
            Hit(passage.note_id, scores[point], passage.id)
            for passage in self._store.shelf.passages(named).values()
            if (point := point_of(passage)) in scores
        ]
        return sorted(hits, key=lambda hit: (-hit.score, str(hit.passage_id)))


def _is_enough(hits: Sequence[Hit], least: float, depth: int) -> bool:
    """Whether what was not asked for is worse than the last that counts: equals go by their ids."""
    return len(hits) >= depth and least < hits[depth - 1].score
