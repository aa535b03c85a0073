"""Deriving again what is derived: words, counts, directories, indexes. Safe to run at any time."""

from functools import partial
from typing import Final

from recollect.retrieve.words import ENGLISH
from recollect.stores.passage_words import COUNTING
from recollect.stores.postgres.connections import Connection, Connections, unhurried
from recollect.stores.postgres.languages import changing, wishes
from recollect.stores.postgres.migrations import lock
from recollect.stores.postgres.models import Model, models
from recollect.stores.postgres.publishing import publish
from recollect.stores.postgres.rederiving import derive_slugs, derive_words
from recollect.stores.postgres.schema import OWNED
from recollect.stores.postgres.textsearch import adopted, make_whole

_LOOSE: Final = (
    "DELETE FROM {table} t WHERE NOT EXISTS"
    " (SELECT 1 FROM notes n WHERE n.space = t.space AND n.id = t.{column})"
)
_DIRECTORIES: Final = (
    "DELETE FROM note_spaces d WHERE NOT EXISTS"
    " (SELECT 1 FROM notes n WHERE n.space = d.space AND n.id = d.id)",
    "DELETE FROM passage_spaces d WHERE NOT EXISTS"
    " (SELECT 1 FROM passages p WHERE p.space = d.space AND p.id = d.id)",
    "INSERT INTO note_spaces SELECT id, space FROM notes ON CONFLICT DO NOTHING",
    "INSERT INTO passage_spaces SELECT id, space FROM passages ON CONFLICT DO NOTHING",
    "INSERT INTO usage SELECT space, id, created_at, 0, 0 FROM notes ON CONFLICT DO NOTHING",
)
_STRAY: Final = (
    "DELETE FROM {table} v WHERE NOT EXISTS"
    " (SELECT 1 FROM passages p WHERE p.space = v.space AND p.id = v.id AND p.note = v.note)"
)
_EMBEDDED: Final = (
    "INSERT INTO embedded SELECT v.space, {model}, v.note, count(*), u.accessed_at FROM {table} v"
    " JOIN usage u ON u.space = v.space AND u.note = v.note"
    " GROUP BY v.space, v.note, u.accessed_at"
)
_COVERAGE: Final = (
    "INSERT INTO coverage SELECT space, {model}, count(*) FROM {table} GROUP BY space"
)


def repair(connections: Connections) -> None:
    spaces = connections.write(lambda connection: _belonging(connection, connections.schema))
    for space, language in spaces.items():
        connections.write(partial(_words, space=space, language=language))
    if connections.read(adopted):
        connections.write(_ranked_anew)
    publish(connections)


def _belonging(connection: Connection, schema: str) -> dict[str, str]:
    """Rows that belong to nothing go; directories and counts are made anew. The spaces, then."""
    unhurried(connection)
    lock(connection, schema)
    changing(connection)
    connection.execute("LOCK TABLE usage IN SHARE MODE")
    for table, column in OWNED[1:]:
        connection.execute(_LOOSE.format(table=table, column=column))
    for statement in _DIRECTORIES:
        connection.execute(statement)
    connection.execute("DELETE FROM embedded")
    connection.execute("DELETE FROM coverage")
    for model in models(connection):
        _recount(connection, model)
    return _spaces(connection)


def _recount(connection: Connection, model: Model) -> None:
    for statement in (_STRAY, _EMBEDDED, _COVERAGE):
        connection.execute(statement.format(table=model.table, model=model.number))


def _spaces(connection: Connection) -> dict[str, str]:
    found = connection.execute(
        "SELECT n.space, s.language FROM (SELECT DISTINCT space FROM notes) n"
        " LEFT JOIN spaces s USING (space)"
    )
    wished = wishes(connection)
    made = {space: wished.get(space, language or ENGLISH) for space, language in found.fetchall()}
    connection.execute("DELETE FROM spaces WHERE NOT space = ANY(%s::text[])", (list(made),))
    connection.execute("DELETE FROM terms WHERE NOT space = ANY(%s::text[])", (list(made),))
    for space, language in made.items():
        connection.execute(
            "INSERT INTO spaces VALUES (%s, %s, %s, 0, 0) ON CONFLICT DO NOTHING",
            (space, language, COUNTING),
        )
    return made


def _words(connection: Connection, space: str, language: str) -> None:
    unhurried(connection)
    changing(connection, space)
    derive_slugs(connection, space)
    derive_words(connection, space, language)


def _ranked_anew(connection: Connection) -> None:
    unhurried(connection)
    make_whole(connection)
