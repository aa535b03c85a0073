"""Finding by the look of a path's last part: those that share a 3-gram are compared."""

from collections.abc import Sequence

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.retrieve.trigram import THRESHOLD, grams, jaccard
from recollect.stores.seeing import sees_nothing
from recollect.stores.sqlite.connection import Connections
from recollect.stores.sqlite.scope import where


class SQLiteSlugs:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def resembling(self, words: Sequence[str], scope: Scope, depth: int) -> Sequence[Hit]:
        looks = [grams(word) for word in words]
        wanted = sorted(frozenset[str]().union(*looks))
        if not wanted or depth < 1 or sees_nothing(scope):
            return []
        seen = where(scope)
        statement = (
            "SELECT n.id, n.path, p.id, s.grams FROM slugs s JOIN notes n ON n.row = s.rowid"
            " JOIN passages p ON p.note = n.row AND p.place = 0"
            f" WHERE s.slugs MATCH ? AND {seen.condition}"
        )
        expression = " OR ".join(f'"{gram}"' for gram in wanted)
        with self._connections.reading() as connection:
            sharing = connection.execute(statement, (expression, *seen.parameters)).fetchall()
        alike = (
            (-_most_alike(looks, slug), path, lead, note) for note, path, lead, slug in sharing
        )
        best = sorted(one for one in alike if -one[0] >= THRESHOLD)
        return [Hit(note, -less, lead) for less, _, lead, note in best[:depth]]


def _most_alike(looks: Sequence[frozenset[str]], slug: str) -> float:
    own = frozenset(slug.split())
    return max(jaccard(look, own) for look in looks)
