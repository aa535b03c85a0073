"""The tables, as text. Whatever belongs to a note has its space in its key, and is in the partition
of its space: a query that names its spaces reads their partitions only, and a shard can take them.

Two directories lead from an id to its space, each in partitions of its own ids. Names compare by
their bytes (COLLATE "C"), so that an order is the same on every server.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple


class Table(NamedTuple):
    name: str
    columns: str
    by: str = "space"
    indexes: tuple[str, ...] = ()
    storage: str = ""


NAME: Final = 'text COLLATE "C" NOT NULL'
PERHAPS: Final = 'text COLLATE "C"'

WHOLE: Final = """
CREATE TABLE IF NOT EXISTS settings (
    owner text NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (owner, name)
);
CREATE TABLE IF NOT EXISTS models (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    identity text NOT NULL UNIQUE,
    dimensions integer NOT NULL
);
CREATE SEQUENCE IF NOT EXISTS changes;
"""

TABLES: Final = (
    Table("note_spaces", f"id {NAME} PRIMARY KEY, space {NAME}", by="id"),
    Table("passage_spaces", f"id {NAME} PRIMARY KEY, space {NAME}", by="id"),
    Table(
        "notes",
        f"space {NAME}, id {NAME}, path {NAME}, title text NOT NULL, summary text NOT NULL,"
        " excerpt text NOT NULL, text text NOT NULL, created_at timestamptz NOT NULL,"
        " modified_at timestamptz NOT NULL, importance double precision NOT NULL,"
        f" session {PERHAPS}, project {PERHAPS}, tags text[] NOT NULL, traits text[] NOT NULL,"
        " grams text[] NOT NULL, PRIMARY KEY (space, id)",
        indexes=(
            "notes (space, session) WHERE session IS NOT NULL",
            "notes (space, modified_at DESC, id)",
            "notes (space, path)",
            "notes USING gin (grams)",
            "notes (space, project) WHERE project IS NOT NULL",
            "notes USING gin (tags)",
        ),
    ),
    Table(
        "usage",
        f"space {NAME}, note {NAME}, accessed_at timestamptz, access_count bigint NOT NULL,"
        " exposures bigint NOT NULL, PRIMARY KEY (space, note)",
        storage="fillfactor = 80",
    ),
    Table(
        "links",
        f"space {NAME}, source {NAME}, place integer NOT NULL, target {NAME}, kind {NAME},"
        " PRIMARY KEY (space, source, place)",
        indexes=("links (space, target, source, kind)",),
    ),
    Table(
        "passages",
        f"space {NAME}, id {NAME}, note {NAME}, place integer NOT NULL, written bigint NOT NULL,"
        " title text NOT NULL, heading text[] NOT NULL, first_line integer NOT NULL,"
        " last_line integer NOT NULL, text text NOT NULL, PRIMARY KEY (space, id)",
        indexes=("passages (space, note, place)",),
    ),
    # apart from the passages and never compressed: a search reads many of them and nothing else
    Table(
        "words",
        f"space {NAME}, id {NAME}, note {NAME}, length double precision NOT NULL,"
        " words tsvector NOT NULL, PRIMARY KEY (space, id)",
        indexes=("words USING gin (words)", "words (space, note)"),
        storage="toast_tuple_target = 8160",
    ),
    # what a score needs to know of a whole space, and the language its words are stemmed in
    Table(
        "spaces",
        f"space {NAME} PRIMARY KEY, language {NAME}, edition text NOT NULL,"
        " passages bigint NOT NULL, length double precision NOT NULL",
    ),
    Table(
        "terms",
        f"space {NAME}, term {NAME}, passages bigint NOT NULL, PRIMARY KEY (space, term)",
        storage="fillfactor = 80",
    ),
    # R1.6: how many of a note's passages have a vector, and when the note was accessed last
    Table(
        "embedded",
        f"space {NAME}, model integer NOT NULL, note {NAME}, vectors integer NOT NULL,"
        " accessed_at timestamptz, PRIMARY KEY (space, model, note)",
        indexes=(
            "embedded (space, model, accessed_at DESC NULLS LAST, note) WHERE vectors > 0",
            "embedded (space, note)",
        ),
        storage="fillfactor = 80",
    ),
    Table(
        "coverage",
        f"space {NAME}, model integer NOT NULL, vectors bigint NOT NULL, PRIMARY KEY (space, model)",
    ),
    Table(
        "aliases",
        f"space {NAME}, name {NAME}, place integer NOT NULL, others text[] NOT NULL,"
        " PRIMARY KEY (space, name)",
    ),
    Table(
        "sessions",
        f"space {NAME}, session {NAME}, project {PERHAPS}, PRIMARY KEY (space, session)",
        indexes=("sessions (space, project)",),
    ),
    Table("files", f"space {NAME}, path {NAME}, record text NOT NULL, PRIMARY KEY (space, path)"),
)

OWNED: Final = (
    ("notes", "id"),
    ("usage", "note"),
    ("links", "source"),
    ("passages", "note"),
    ("words", "note"),
    ("embedded", "note"),
)
"""The tables that hold a part of a note, and the column that names it."""


def creating(table: Table, partitions: int) -> Iterator[str]:
    """The statements that make a table with its partitions and indexes, where it is not there yet."""
    yield (
        f"CREATE TABLE IF NOT EXISTS {table.name} ({table.columns}) PARTITION BY HASH ({table.by})"
    )
    storage = f" WITH ({table.storage})" if table.storage else ""
    for part in range(partitions):
        yield (
            f"CREATE TABLE IF NOT EXISTS {table.name}_{part} PARTITION OF {table.name}"
            f" FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part}){storage}"
        )
    yield from indexing(table)


def indexing(table: Table) -> Iterator[str]:
    for number, index in enumerate(table.indexes):
        yield f"CREATE INDEX IF NOT EXISTS {table.name}_by_{number} ON {index}"


def vectors_table(model: int, dimensions: int) -> Table:
    """The vectors of one model, as they were given; what is derived from them is an index."""
    return Table(
        vectors_name(model),
        f"space {NAME}, id {NAME}, note {NAME}, vector vector({dimensions}) NOT NULL,"
        " PRIMARY KEY (space, id)",
        indexes=(f"{vectors_name(model)} (space, note)",),
        storage="toast_tuple_target = 8160",
    )


def vectors_name(model: int) -> str:
    return f"vectors_{model}"
