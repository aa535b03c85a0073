"""Finding by words: a tsvector says what matches, BM25 says in which order.

`ts_rank_cd` of a single lexeme, phrase or prefix is the sum of the weights of its places, nothing more:
the frequency that BM25 asks for. So the server scores by the same formula as every other store, and
the best are scored again here, so that the numbers agree to the last bit.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.tree import Node
from recollect.retrieve.words import ENGLISH
from recollect.stores.hits import in_order
from recollect.stores.postgres.bm25 import Collection, Told, most_telling
from recollect.stores.postgres.connections import Connection, Connections
from recollect.stores.postgres.lexemes import any_of, expression, leaf_expression, term_of_wanted
from recollect.stores.postgres.pruning import Reach, Term, leading, ordered
from recollect.stores.postgres.rows import by_space
from recollect.stores.postgres.scope import keepable
from recollect.stores.postgres.scoring import SPARE, Group, ranked, scored
from recollect.stores.postgres.textsearch import candidates, whole
from recollect.stores.seeing import sees_nothing
from recollect.stores.trees import Wanted, bag_of_words, leaves

_SPACES: Final = (
    "SELECT space, language, passages, length FROM spaces WHERE space = ANY(%s::text[])"
    " AND passages > 0 ORDER BY space"
)
_TERMS: Final = (
    "SELECT term, sum(passages)::bigint FROM terms WHERE space = ANY(%s::text[])"
    " AND term = ANY(%s::text[]) GROUP BY term"
)
_HOLDING: Final = (
    "SELECT count(*) FROM words WHERE space = ANY(%s::text[]) AND words @@ %s::tsquery"
)
_CONTAINING: Final = (
    "SELECT DISTINCT note FROM words"
    " WHERE space = %s AND note = ANY(%s::text[]) AND words @@ %s::tsquery"
)

FIRST: Final = 500
"""So many passages are scored at first, without asking whether they could be among the best."""
_MORE: Final = 4


class PostgresWords:
    may_wait = True

    def __init__(self, connections: Connections, first: int = FIRST) -> None:
        self._connections = connections
        self._first = first

    def compiled(self, query: Node) -> str:
        return expression(query, ENGLISH)

    def find(self, query: Node, scope: Scope, depth: int) -> Sequence[Hit]:
        if depth < 1 or sees_nothing(scope):
            return []
        return self._connections.search(
            lambda connection: self._find(connection, query, scope, depth)
        )

    def _find(self, connection: Connection, query: Node, scope: Scope, depth: int) -> list[Hit]:
        known = connection.execute(_SPACES, (keepable(scope.spaces),)).fetchall()
        collection = Collection(sum(one[2] for one in known), sum(one[3] for one in known))
        languages: dict[str, list[str]] = {}
        for space, language, *_ in known:
            languages.setdefault(language, []).append(space)
        wanted = Counter(leaves(query))
        holding = [_holding(connection, wanted, *group) for group in languages.items()]
        told = [
            Told(one, times, collection.rarity(many))
            for one, times in wanted.items()
            if (many := sum(own[one] for own in holding))
        ]
        found: list[Hit] = []
        for (language, spaces), own in zip(languages.items(), holding, strict=True):
            group = Group(scope, spaces, language, collection, most_telling(told))
            found += self._best(connection, query, group, own, depth)
        return in_order(found)[:depth]

    def _best(
        self,
        connection: Connection,
        query: Node,
        group: Group,
        holding: Mapping[Wanted, int],
        depth: int,
    ) -> list[Hit]:
        """The best of the spaces of one language."""
        if not group.told:
            return []
        if bag_of_words(query) is None:
            return ranked(connection, group, expression(query, group.language), depth)
        terms = [
            Term(leaf_expression(one.wanted[0], group.language), holding[one.wanted], one.most)
            for one in group.told
        ]
        return _pruned(connection, group, ordered(terms), depth, self._first)

    def containing(self, query: Node, note_ids: Iterable[str]) -> frozenset[str]:
        wanted = list(dict.fromkeys(note_ids))
        if not wanted:
            return frozenset()
        return self._connections.search(lambda connection: _containing(connection, query, wanted))


def _pruned(
    connection: Connection, group: Group, terms: Sequence[Term], depth: int, enough: int
) -> list[Hit]:
    """The rarest words first, a few at a time, more and more of them: of what each brings, only passages
    that could still beat the last of the best so far."""
    found: list[Hit] = []
    asked = rounds = 0
    while asked < len(terms):
        reach = Reach(terms[asked:], found[depth - 1].score if len(found) >= depth else 0.0)
        if not reach.needed:
            break
        if rounds == 1 and (proposed := _proposed(connection, group, 2 * depth + SPARE)):
            return _each_once(*found, *proposed)
        now = leading(reach.needed, enough * _MORE**rounds)
        looked_for = any_of(term.expression for term in now)
        if asked:
            looked_for = f"{looked_for} & !{any_of(term.expression for term in terms[:asked])}"
        found = _each_once(*found, *ranked(connection, group, looked_for, depth, reach))
        asked += len(now)
        rounds += 1
    return found


def _proposed(connection: Connection, group: Group, wanted: int) -> list[Hit]:
    """What an index of words holds for the best; nothing where a narrow scope has starved it."""
    if not whole(connection):
        return []
    ids = candidates(connection, group, wanted)
    enough = sum(map(len, ids.values())) == wanted
    return scored(connection, group, ids) if enough else []


def _each_once(*hits: Hit) -> list[Hit]:
    return in_order({hit.passage_id: hit for hit in hits if hit.score > 0}.values())


def _holding(
    connection: Connection, wanted: Iterable[Wanted], language: str, spaces: list[str]
) -> dict[Wanted, int]:
    """How many passages of these spaces hold each leaf: words are counted in advance."""
    terms = {one: term_of_wanted(one, language) for one in wanted}
    named = [term for term in terms.values() if term is not None]
    counted: dict[str, int] = dict(connection.execute(_TERMS, (spaces, keepable(named))).fetchall())
    return {
        one: counted.get(term, 0) if term is not None else _count(connection, one, language, spaces)
        for one, term in terms.items()
    }


def _count(connection: Connection, wanted: Wanted, language: str, spaces: list[str]) -> int:
    matching = leaf_expression(wanted[0], language, wanted[1])
    found = connection.execute(_HOLDING, (spaces, matching)).fetchone()
    return int(found[0]) if found else 0


def _containing(connection: Connection, query: Node, note_ids: Sequence[str]) -> frozenset[str]:
    homes = by_space(connection, note_ids)
    languages = {one[0]: one[1] for one in connection.execute(_SPACES, (sorted(homes),))}
    found: set[str] = set()
    for space, ids in homes.items():
        matching = expression(query, languages.get(space, ENGLISH))
        found.update(one for (one,) in connection.execute(_CONTAINING, (space, ids, matching)))
    return frozenset(found)
