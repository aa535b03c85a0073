"""An open file in, findings out: what is sound, what is not, and the way out. Changes nothing.

`examine` is quick; with `thorough` every page, every word and every derived byte is read.
"""

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

from recollect.model.errors import StoreError
from recollect.model.inventory import Finding
from recollect.model.query import Scope
from recollect.model.tree import Word
from recollect.ports import Vector
from recollect.stores.passage_words import EDITION
from recollect.stores.sqlite.contents import contents
from recollect.stores.sqlite.fresh import Model, models
from recollect.stores.sqlite.sight import spaces
from recollect.stores.sqlite.terms import word_rows

if TYPE_CHECKING:
    from recollect.stores.sqlite import SQLiteStore

REPAIR: Final = "recollect doctor --repair derives it again"
RESTORE: Final = "restore a backup, or export what can still be read and import it into a new file"
_NONSENSE: Final = "qzxwvkjqzxwvkj"

_ORPHANS: Final = {
    "texts": "SELECT count(*) FROM notes n WHERE NOT EXISTS (SELECT 1 FROM texts WHERE note = n.row)",
    "usage": "SELECT count(*) FROM notes n WHERE NOT EXISTS (SELECT 1 FROM usage WHERE note = n.row)",
    "first passages": "SELECT count(*) FROM notes n WHERE NOT EXISTS"
    " (SELECT 1 FROM passages WHERE note = n.row AND place = 0)",
}
_MISCOUNTED: Final = """SELECT count(*) FROM (
    SELECT model, note, count(*) AS vectors FROM vectors GROUP BY model, note
) own LEFT JOIN embedded e USING (model, note) WHERE e.vectors IS NOT own.vectors"""


def examine(opened: "SQLiteStore", *, thorough: bool = False) -> list[Finding]:
    findings = [*_file(opened, thorough=thorough)]
    if findings[0].level == "error":
        return findings  # what a broken file says of itself means nothing
    findings.extend(_belonging(opened))
    checks = (_rows, _words, _vectors, _coverage)
    with opened.connections.reading() as connection:
        for check in checks:
            findings.extend(check(connection))
    if thorough:
        findings.extend(_each_word(opened))
    if thorough and not opened.connections.read_only:
        findings.extend(_full_text(opened))
    findings.extend(_indexes(opened, thorough=thorough))
    findings.extend(_sense(opened))
    return findings


def _file(opened: "SQLiteStore", *, thorough: bool) -> Iterator[Finding]:
    check = "integrity_check" if thorough else "quick_check"
    try:
        with opened.connections.bare() as connection:
            said = [line for (line,) in connection.execute(f"PRAGMA {check}")]
            mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    except StoreError as error:
        yield Finding("error", str(error), RESTORE)
        return
    if said == ["ok"]:
        yield Finding("ok", "the file is sound")
    else:
        yield Finding("error", f"the file is damaged: {'; '.join(said[:3])}", RESTORE)
    if mode != "wal" and not opened.connections.read_only:
        yield Finding(
            "warn",
            f"the file is in journal mode {mode}: readers and writers wait for each other",
            "keep it on a local disk",
        )


def _belonging(opened: "SQLiteStore") -> Iterator[Finding]:
    with opened.connections.bare() as connection:
        loose = connection.execute("PRAGMA foreign_key_check").fetchall()
    if loose:
        tables = ", ".join(sorted({str(row[0]) for row in loose}))
        way_out = "recollect doctor --repair removes them"
        yield Finding("error", f"{len(loose)} rows belong to nothing, in {tables}", way_out)


def _rows(connection: sqlite3.Connection) -> Iterator[Finding]:
    for what, statement in _ORPHANS.items():
        if lacking := _number(connection, statement):
            yield Finding("error", f"{lacking} notes without {what}", RESTORE)
    notes = _number(connection, "SELECT count(*) FROM notes")
    passages = _number(connection, "SELECT count(*) FROM passages")
    counted = _number(connection, "SELECT passages FROM clock")
    if counted != passages:
        yield Finding("error", f"{passages} passages are counted as {counted}", REPAIR)
    yield Finding("ok", f"{notes} notes in {passages} passages")


def _words(connection: sqlite3.Connection) -> Iterator[Finding]:
    for table, owner in (("passage_words", "passages"), ("slugs", "notes")):
        rows = _number(connection, f"SELECT count(*) FROM {table}")
        expected = _number(connection, f"SELECT count(*) FROM {owner}")
        if rows != expected:
            yield Finding("error", f"full text {table}: {rows} rows for {expected}", REPAIR)
    edition = connection.execute("SELECT value FROM meta WHERE name = 'words'").fetchone()
    if edition and edition[0] != EDITION:
        yield Finding(
            "warn",
            f"words were taken apart by edition {edition[0]}, queries by {EDITION}",
            REPAIR,
        )


def _full_text(opened: "SQLiteStore") -> Iterator[Finding]:
    """SQLite's own check of a full-text index against its content; it asks for the write lock."""
    for table in ("passage_words", "slugs"):
        try:
            with opened.connections.writing() as connection:
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
        except StoreError as error:
            yield Finding("error", f"the full text {table} is damaged: {error}", REPAIR)
        else:
            yield Finding("ok", f"the full text {table} agrees with what it was made of")


def _each_word(opened: "SQLiteStore") -> Iterator[Finding]:
    """Takes every passage apart again and compares its words with those that are searched."""
    statement = "SELECT * FROM passage_words WHERE rowid = ?"
    with opened.connections.reading() as connection:
        wrong = 0
        for content in contents(connection):
            rows = zip(content.passage_rows, word_rows(content.document), strict=True)
            wrong += sum(connection.execute(statement, (at,)).fetchone() != row for at, row in rows)
    if wrong:
        yield Finding("error", f"{wrong} passages are not searched by their own words", REPAIR)
    else:
        yield Finding("ok", "every passage is searched by its own words")


def _vectors(connection: sqlite3.Connection) -> Iterator[Finding]:
    for model in models(connection):
        size = 4 * model.dimensions
        wrong = _number(
            connection,
            f"SELECT count(*) FROM vectors WHERE model = {model.row} AND length(vector) != {size}",
        )
        if wrong:
            yield Finding(
                "error",
                f"{wrong} vectors of {model.identity} are not of {model.dimensions} dimensions",
                "recollect doctor --repair drops them; index again to embed them anew",
            )
        stored = _number(connection, f"SELECT count(*) FROM vectors WHERE model = {model.row}")
        if stored != model.vectors:
            yield Finding(
                "error", f"{stored} vectors of {model.identity} counted as {model.vectors}", REPAIR
            )
    if wrong := _number(connection, _MISCOUNTED):
        yield Finding("error", f"{wrong} notes are miscounted among the embedded", REPAIR)


def _coverage(connection: sqlite3.Connection) -> Iterator[Finding]:
    passages = _number(connection, "SELECT count(*) FROM passages")
    for model in models(connection):
        covered = f"{model.vectors} of {passages} passages are embedded by {model.identity}"
        if model.vectors < passages:
            yield Finding("warn", covered, "recollect index embeds the rest")
        else:
            yield Finding("ok", covered)


def _indexes(opened: "SQLiteStore", *, thorough: bool) -> Iterator[Finding]:
    """Catching up compares an index's length with the file's; reading it all compares its bytes."""
    with opened.connections.reading() as connection:
        derived = {"words": opened.indexes.words(connection)} | {
            f"vectors of {model.identity}": opened.indexes.vectors(connection, model)
            for model in models(connection)
        }
    for name, index in derived.items():
        problems = index.verify() if thorough else []
        for problem in problems:
            yield Finding("error", f"the index of {name} is damaged: {problem}", REPAIR)
        if not problems:
            yield Finding("ok", f"the index of {name} holds {len(index)} passages")


def _sense(opened: "SQLiteStore") -> Iterator[Finding]:
    """A search that answers nonsense as it answers a real word searches nothing."""
    with opened.connections.reading() as connection:
        real, everywhere = _real_word(connection), spaces(connection)
    if real is None:
        return
    scope = Scope(everywhere)
    found, noise = (
        [hit.passage_id for hit in opened.store.words.find(Word(word), scope, 10)]
        for word in (real, _NONSENSE)
    )
    if not found:
        yield Finding("error", f"the word {real!r} is in the file but is not found", REPAIR)
    elif found == noise:
        yield Finding("error", f"nonsense is answered like the word {real!r}", REPAIR)
    else:
        yield Finding("ok", "a real word is found, and nonsense is not")
    yield from _sense_of_vectors(opened, scope)


def _sense_of_vectors(opened: "SQLiteStore", scope: Scope) -> Iterator[Finding]:
    with opened.connections.reading() as connection:
        known = [(one, _some_vector(connection, one)) for one in models(connection)]
    for model, vector in known:
        if vector is None or len(vector) < 2 or model.vectors < 20 or opened.store.vectors is None:
            continue
        near, far = (
            [hit.passage_id for hit in opened.store.vectors.nearest(model.identity, v, scope, 10)]
            for v in (vector, -vector)
        )
        if near == far:
            what = f"opposite meanings are answered alike by {model.identity}"
            yield Finding("error", what, "embed again: its vectors are all the same")


def _real_word(connection: sqlite3.Connection) -> str | None:
    statement = "SELECT text FROM passage_words WHERE text != '' LIMIT 1"
    row = connection.execute(statement).fetchone()
    return max(row[0].split(), key=len) if row else None


def _some_vector(connection: sqlite3.Connection, model: Model) -> Vector | None:
    statement = "SELECT vector FROM vectors WHERE model = ? AND length(vector) = ? LIMIT 1"
    row = connection.execute(statement, (model.row, 4 * model.dimensions)).fetchone()
    return np.frombuffer(row[0], "<f4") if row else None


def _number(connection: sqlite3.Connection, statement: str) -> int:
    return int(connection.execute(statement).fetchone()[0])
