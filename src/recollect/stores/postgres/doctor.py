"""An open store in, findings out: what is sound, what is not, and the way out. Changes nothing.

`examine` is quick; with `thorough` every passage is taken apart again and compared.
"""

from collections.abc import Callable, Iterator
from typing import Final

from recollect.model.errors import StoreError
from recollect.model.inventory import Finding
from recollect.stores.postgres import hnsw
from recollect.stores.postgres.catalogue import number
from recollect.stores.postgres.connections import Connection, Connections, unhurried
from recollect.stores.postgres.contents import documents_of
from recollect.stores.postgres.models import models
from recollect.stores.postgres.publishing import outdated
from recollect.stores.postgres.revising import prepared
from recollect.stores.postgres.schema import OWNED
from recollect.stores.postgres.textsearch import adopted, installed, whole

REPAIR: Final = "recollect doctor --repair derives it again"
INDEX: Final = "recollect index embeds the rest"
LEAST_PGVECTOR: Final = (0, 8)  # the first with iterative scans

_ORPHANS: Final = (
    "SELECT count(*) FROM {table} t WHERE NOT EXISTS"
    " (SELECT 1 FROM notes n WHERE n.space = t.space AND n.id = t.{column})"
)
_ADRIFT: Final = (
    "SELECT (SELECT count(*) FROM note_spaces d FULL JOIN notes n"
    " ON n.space = d.space AND n.id = d.id WHERE d.id IS NULL OR n.id IS NULL)"
    " + (SELECT count(*) FROM passage_spaces d FULL JOIN passages p"
    " ON p.space = d.space AND p.id = d.id WHERE d.id IS NULL OR p.id IS NULL)"
)
_LEADLESS: Final = (
    "SELECT count(*) FROM notes n WHERE NOT EXISTS (SELECT 1 FROM passages p"
    " WHERE p.space = n.space AND p.note = n.id AND p.place = 0)"
)
_UNUSED: Final = (
    "SELECT count(*) FROM notes n WHERE NOT EXISTS"
    " (SELECT 1 FROM usage u WHERE u.space = n.space AND u.note = n.id)"
)
_WORDLESS: Final = (
    "SELECT count(*) FROM passages p FULL JOIN words w ON w.space = p.space AND w.id = p.id"
    " WHERE p.id IS NULL OR w.id IS NULL"
)
_MISCOUNTED: Final = """SELECT count(*) FROM spaces s LEFT JOIN (
    SELECT space, count(*) AS passages, sum(length) AS length FROM words GROUP BY space
) w USING (space) WHERE s.passages != coalesce(w.passages, 0)
    OR abs(s.length - coalesce(w.length, 0)) > 0.01"""
_STRAY: Final = (
    "SELECT count(*) FROM {table} v WHERE NOT EXISTS"
    " (SELECT 1 FROM passages p WHERE p.space = v.space AND p.id = v.id AND p.note = v.note)"
)
_UNCOUNTED: Final = """SELECT count(*) FROM (
    SELECT space, note, count(*) AS vectors FROM {table} GROUP BY space, note
) v FULL JOIN (SELECT space, note, vectors FROM embedded WHERE model = {model} AND vectors != 0) e
    USING (space, note) WHERE v.vectors IS DISTINCT FROM e.vectors"""
_COVERED: Final = "SELECT coalesce(sum(vectors), 0)::bigint FROM coverage WHERE model = {model}"
_MISCOUNTED_TERMS: Final = """SELECT count(*) FROM (
    SELECT w.space, term, count(*) AS passages FROM words w, unnest(tsvector_to_array(w.words)) term
    WHERE NOT starts_with(term, '=') GROUP BY w.space, term
) own FULL JOIN (SELECT * FROM terms WHERE passages != 0) t USING (space, term)
    WHERE own.passages IS DISTINCT FROM t.passages"""

Check = Callable[[Connection], Iterator[Finding]]


def examine(connections: Connections, *, thorough: bool = False) -> list[Finding]:
    def look(connection: Connection) -> list[Finding]:
        unhurried(connection)
        checks: tuple[Check, ...] = (_server, _rows, _words, _vectors)
        every = (*checks, _each_word) if thorough else checks
        return [finding for check in every for finding in check(connection)]

    try:
        return connections.read(look)
    except StoreError as error:
        return [Finding("error", str(error), "start the server, or correct the address")]


def _server(connection: Connection) -> Iterator[Finding]:
    found = connection.execute("SELECT extname, extversion FROM pg_extension").fetchall()
    versions: dict[str, str] = dict(found)
    server = connection.execute("SHOW server_version").fetchone() or ("?",)
    pgvector = versions.get("vector", "0")
    if tuple(int(part) for part in pgvector.split(".")[:2]) < LEAST_PGVECTOR:
        way_out = "install pgvector 0.8 or later, then: ALTER EXTENSION vector UPDATE"
        yield Finding("error", f"pgvector {pgvector} has no iterative scan", way_out)
    else:
        yield Finding("ok", f"Postgres {server[0]} with pgvector {pgvector}")
    if installed(connection) and not adopted(connection):
        yield Finding("warn", "pg_textsearch is there, but not used by this store yet", REPAIR)
    elif installed(connection) and not whole(connection):
        what = (
            "the server was restarted: words are ranked without pg_textsearch, which takes longer"
        )
        yield Finding("warn", what, REPAIR)


def _rows(connection: Connection) -> Iterator[Finding]:
    yield from _faults(connection, "ids lead to another space or to nothing", _ADRIFT)
    yield from _faults(connection, "notes have lost their first passage", _LEADLESS)
    yield from _faults(connection, "notes have lost their usage", _UNUSED)
    for table, column in OWNED[1:]:
        statement = _ORPHANS.format(table=table, column=column)
        yield from _faults(connection, f"rows of {table} belong to no note", statement)
    notes = number(connection, "SELECT count(*) FROM notes")
    passages = number(connection, "SELECT count(*) FROM passages")
    yield Finding("ok", f"{notes} notes in {passages} passages")


def _words(connection: Connection) -> Iterator[Finding]:
    yield from _faults(connection, "passages are without words, or words without one", _WORDLESS)
    yield from _faults(connection, "spaces are miscounted", _MISCOUNTED)
    for space, language in outdated(connection).items():
        what = f"the words of {space} are not taken apart in {language} as they are asked for"
        yield Finding("warn", what, REPAIR)


def _vectors(connection: Connection) -> Iterator[Finding]:
    passages = number(connection, "SELECT count(*) FROM passages")
    for model in models(connection):
        own = {"table": model.table, "model": model.number}
        yield from _faults(
            connection, f"vectors of {model.identity} belong to no passage", _STRAY.format(**own)
        )
        what = f"notes are miscounted among those embedded by {model.identity}"
        yield from _faults(connection, what, _UNCOUNTED.format(**own))
        stored = number(connection, f"SELECT count(*) FROM {model.table}")
        counted = number(connection, _COVERED.format(**own))
        if stored != counted:
            what = f"{stored} vectors of {model.identity} counted as {counted}"
            yield Finding("error", what, REPAIR)
        covered = f"{stored} of {passages} passages are embedded by {model.identity}"
        yield Finding("warn", covered, INDEX) if stored < passages else Finding("ok", covered)
        for table in hnsw.lacking(connection, model):
            yield Finding(
                "warn", f"{table} has grown and has no index: it is searched whole", REPAIR
            )


def _each_word(connection: Connection) -> Iterator[Finding]:
    """Takes every passage apart again and compares its words with those that are searched."""
    wrong = 0
    for space, language in connection.execute("SELECT space, language FROM spaces").fetchall():
        for documents in documents_of(connection, space):
            pieces = [one for each in documents for one in prepared(each, language).pieces]
            statement = (
                "SELECT count(*) FROM unnest(%s::text[], %s::text[], %s::float8[]) g (id, words, length)"
                " JOIN words w ON w.space = %s AND w.id = g.id"
                " WHERE w.words = g.words::tsvector AND w.length = g.length"
            )
            ids = [piece.passage.id for piece in pieces]
            vectors = [piece.words.vector for piece in pieces]
            lengths = [piece.words.length for piece in pieces]
            given = (ids, vectors, lengths, space)
            found = connection.execute(statement, given).fetchone() or (0,)
            wrong += len(pieces) - int(found[0])
    if wrong:
        yield Finding("error", f"{wrong} passages are not searched by their own words", REPAIR)
    else:
        yield Finding("ok", "every passage is searched by its own words")
    yield from _faults(connection, "words are miscounted", _MISCOUNTED_TERMS)


def _faults(connection: Connection, what: str, statement: str) -> Iterator[Finding]:
    wrong = number(connection, statement)
    if wrong:
        yield Finding("error", f"{wrong} {what}", REPAIR)
