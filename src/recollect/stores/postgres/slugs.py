"""Finding by the look of a path's last part: those that share a 3-gram are compared."""

from collections.abc import Sequence

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.retrieve.trigram import THRESHOLD, grams, jaccard
from recollect.stores.postgres.connections import Connections
from recollect.stores.postgres.scope import keepable, where
from recollect.stores.seeing import sees_nothing


class PostgresSlugs:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def resembling(self, words: Sequence[str], scope: Scope, depth: int) -> Sequence[Hit]:
        looks = [grams(word) for word in words]
        wanted = keepable(frozenset[str]().union(*looks))
        if not wanted or depth < 1 or sees_nothing(scope):
            return []
        seen = where(scope)
        statement = (
            "SELECT n.id, n.path, p.id, n.grams FROM notes n"
            " JOIN passages p ON p.space = n.space AND p.note = n.id AND p.place = 0"
            f" WHERE n.grams && %s::text[] AND {seen.condition}"
        )
        sharing = self._connections.search(
            lambda connection: connection.execute(statement, (wanted, *seen.parameters)).fetchall()
        )
        alike = (
            (-max(jaccard(look, frozenset(own)) for look in looks), path, lead, note)
            for note, path, lead, own in sharing
        )
        best = sorted(one for one in alike if -one[0] >= THRESHOLD)
        return [Hit(note, -less, lead) for less, _, lead, note in best[:depth]]
