"""pg_textsearch, where the server has it: an index that brings the best passages for a bag of words.

It knows a text only. So a column holds every stem as often as its field weighs, each spelled in letters
that any parser leaves alone, and k1 grows with the frequencies, which leaves BM25 as it is. What it
brings is scored here again: it decides which passages are looked at, never what they are worth.

What was written last it holds in the server's memory only: after a restart, and on a standby, it brings
the best of what it still knows and does not say that anything is missing. So a mark says since when it
is whole, in a table that a crash empties and a standby lacks; without it, it is left alone.
"""

from itertools import count
from typing import Final

from recollect.stores.fields import BM25_B, BM25_K1, FIELD_WEIGHTS
from recollect.stores.passage_words import COUNTING
from recollect.stores.postgres.connections import Connection
from recollect.stores.postgres.lexemes import EXACT, LABELS, term_of_wanted
from recollect.stores.postgres.migrations import keep_meta, read_meta
from recollect.stores.postgres.plans import in_index_order
from recollect.stores.postgres.scoring import Group, visible

INDEX: Final = "words_bm25"
_META: Final = "bm25"
_TIMES: Final = next(
    n for n in count(1) if all((n * w).is_integer() for w in FIELD_WEIGHTS.values())
)
"""A word stands in the text so often for each point of its weight: a whole number of times."""
_DIGITS, _LETTERS = "0123456789", "ghijklmnop"

_INSTALLED: Final = "SELECT 1 FROM pg_extension WHERE extname = 'pg_textsearch'"
_TIMES_BY_LABEL: Final = " ".join(
    f"WHEN '{label}' THEN {FIELD_WEIGHTS[name] * _TIMES:.0f}" for name, label in LABELS.items()
)
_SPELLING: Final = f"""
CREATE OR REPLACE FUNCTION stems_of(words tsvector) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
    SELECT coalesce(string_agg(repeat(
        translate(encode(convert_to(u.lexeme, 'UTF8'), 'hex'), '{_DIGITS}', '{_LETTERS}') || ' ',
        (SELECT sum(CASE label {_TIMES_BY_LABEL} END)::integer FROM unnest(u.weights) label)
    ), ''), '')
    FROM unnest(words) u (lexeme, positions, weights) WHERE NOT starts_with(u.lexeme, '{EXACT}')
)
"""
_COLUMN: Final = (
    "ALTER TABLE words ADD COLUMN stems text GENERATED ALWAYS AS (stems_of(words)) STORED"
)
_CREATE: Final = (
    f"CREATE INDEX {INDEX} ON words USING bm25 (stems)"
    f" WITH (text_config = 'simple', k1 = {BM25_K1 * _TIMES}, b = {BM25_B})"
)
_MARK: Final = "CREATE UNLOGGED TABLE IF NOT EXISTS bm25_whole (started timestamptz NOT NULL)"
_MARKED: Final = "SELECT 1 FROM bm25_whole WHERE started = pg_postmaster_start_time()"
_USABLE: Final = (
    f"SELECT value, to_regclass('{INDEX}') IS NOT NULL, NOT pg_is_in_recovery()"
    " FROM meta WHERE name = %s"
)
_PARTITIONS: Final = (
    "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = %s::regclass"
)


def installed(connection: Connection) -> bool:
    return connection.execute(_INSTALLED).fetchone() is not None


def adopted(connection: Connection) -> bool:
    """Whether this store has its column and its index, as words are counted now."""
    return read_meta(connection, _META) == COUNTING


def adopt(connection: Connection) -> None:
    """In a store that is not empty this writes every passage's words once more."""
    connection.execute("ALTER TABLE words DROP COLUMN IF EXISTS stems")
    for statement in (_SPELLING, _COLUMN, _CREATE, _MARK):
        connection.execute(statement)
    keep_meta(connection, _META, COUNTING)
    _mark(connection)


def whole(connection: Connection) -> bool:
    """Whether the index knows every passage: it is this store's, and none was lost with the memory."""
    if connection.execute(_USABLE, (_META,)).fetchone() != (COUNTING, True, True):
        return False
    return connection.execute(_MARKED).fetchone() is not None


def make_whole(connection: Connection) -> None:
    """Builds the index anew from the rows, which nobody changes meanwhile."""
    for (partition,) in connection.execute(_PARTITIONS, (INDEX,)).fetchall():
        connection.execute(f"REINDEX INDEX {partition}")
    _mark(connection)


def _mark(connection: Connection) -> None:
    connection.execute("DELETE FROM bm25_whole")
    connection.execute("INSERT INTO bm25_whole SELECT pg_postmaster_start_time()")


def candidates(connection: Connection, group: Group, count: int) -> dict[str, list[str]]:
    """The ids of the passages that the index holds for the best, by space."""
    tables, condition, seen = visible(group)
    statement = (
        f"SELECT w.space, w.id FROM {tables} WHERE {condition}"
        f" ORDER BY w.stems <@> to_bm25query(%s, '{INDEX}') LIMIT %s"
    )
    found: dict[str, list[str]] = {}
    with in_index_order(connection):  # out of its index it has no figures, and scores all alike
        rows = connection.execute(statement, (*seen, asked(group), count)).fetchall()
    for space, one in rows:
        found.setdefault(space, []).append(one)
    return found


def asked(group: Group) -> str:
    terms = ((term_of_wanted(one.wanted, group.language), one.times) for one in group.told)
    return " ".join(" ".join([spelled(term)] * times) for term, times in terms if term)


def spelled(term: str) -> str:
    return term.encode().hex().translate(str.maketrans(_DIGITS, _LETTERS))
