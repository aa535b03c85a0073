"""The tables of the file, as text. What must always hold together is held together by triggers.

Times are whole microseconds since 1970 in UTC. `row` is a table's own number for a thing; ids are
what the rest of Recollect calls it. A passage's row number is never given to another passage, so
that an index beside the file may use it as a name.
"""

from typing import Final

from recollect.stores.passage_words import EDITION

NOTES: Final = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO meta VALUES ('store', lower(hex(randomblob(16))));

-- `change` counts the transactions that changed what a search may find. What was removed up to
-- `horizon` is no longer listed. `moves` counts the changes of what belongs to which project.
CREATE TABLE IF NOT EXISTS clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    change INTEGER NOT NULL, passages INTEGER NOT NULL,
    horizon INTEGER NOT NULL, moves INTEGER NOT NULL
);
INSERT OR IGNORE INTO clock VALUES (1, 0, 0, 0, 0);

CREATE TABLE IF NOT EXISTS notes (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    space TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL,
    importance REAL NOT NULL,
    session TEXT,
    project TEXT,
    tags TEXT NOT NULL,
    traits TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS notes_by_session ON notes (space, session);
CREATE INDEX IF NOT EXISTS notes_by_time ON notes (space, modified_at DESC);
CREATE INDEX IF NOT EXISTS notes_by_path ON notes (space, path);

-- apart from the notes, so that reading facts never reads whole texts
CREATE TABLE IF NOT EXISTS texts (
    note INTEGER PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
    text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS usage (
    note INTEGER PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
    accessed_at INTEGER, access_count INTEGER NOT NULL, exposures INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS tags (
    tag TEXT NOT NULL,
    note INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    PRIMARY KEY (tag, note)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tags_by_note ON tags (note);

-- a link's target is the id it names; it leads somewhere as soon as a note of its space bears it
CREATE TABLE IF NOT EXISTS links (
    source INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    place INTEGER NOT NULL,
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    PRIMARY KEY (source, place)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS links_by_target ON links (target, source, kind);

CREATE TABLE IF NOT EXISTS passages (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    note INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    place INTEGER NOT NULL,
    change INTEGER NOT NULL,
    written INTEGER NOT NULL,
    title TEXT NOT NULL,
    heading TEXT NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS passages_by_note ON passages (note, place, id);
CREATE INDEX IF NOT EXISTS passages_by_change ON passages (change);
CREATE TABLE IF NOT EXISTS removals (row INTEGER PRIMARY KEY, change INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS removals_by_change ON removals (change);

CREATE TABLE IF NOT EXISTS aliases (
    space TEXT NOT NULL, name TEXT NOT NULL, place INTEGER NOT NULL, others TEXT NOT NULL,
    PRIMARY KEY (space, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (
    space TEXT NOT NULL, session TEXT NOT NULL, project TEXT,
    PRIMARY KEY (space, session)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sessions_by_project ON sessions (space, project);
CREATE TABLE IF NOT EXISTS settings (
    owner TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (owner, name)
) WITHOUT ROWID;
"""

WORDS: Final = f"""
INSERT OR IGNORE INTO meta VALUES ('words', '{EDITION}');

-- Fed with tokens that are already folded and separated by spaces; `ascii` keeps them as they are.
-- The first four columns hold every token in its exact form; the `_stems` columns hold the stems
-- that differ from their token, and the single characters of scripts written without spaces.
CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING fts5 (
    title, tag, path, text, title_stems, tag_stems, path_stems, text_stems, tokenize = 'ascii'
);
CREATE VIRTUAL TABLE IF NOT EXISTS slugs USING fts5 (
    grams, tokenize = "ascii tokenchars '$'", detail = none
);

CREATE TRIGGER IF NOT EXISTS passage_added AFTER INSERT ON passages BEGIN
    UPDATE clock SET passages = passages + 1;
END;
CREATE TRIGGER IF NOT EXISTS passage_removed AFTER DELETE ON passages BEGIN
    UPDATE clock SET passages = passages - 1;
    INSERT OR IGNORE INTO removals (row, change) SELECT old.row, change FROM clock;
    DELETE FROM passage_words WHERE rowid = old.row;
END;
CREATE TRIGGER IF NOT EXISTS note_removed AFTER DELETE ON notes BEGIN
    DELETE FROM slugs WHERE rowid = old.row;
END;
"""

VECTORS: Final = """
CREATE TABLE IF NOT EXISTS models (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS vectors (
    row INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
    passage INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
    note INTEGER NOT NULL,
    change INTEGER NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (model, passage)
);
CREATE INDEX IF NOT EXISTS vectors_by_change ON vectors (model, change);
CREATE INDEX IF NOT EXISTS vectors_by_passage ON vectors (passage);

-- How many of a note's passages have a vector of a model, and when the note was accessed last. The
-- id is here as well, so that notes accessed at the same moment need no sorting.
CREATE TABLE IF NOT EXISTS embedded (
    model INTEGER NOT NULL REFERENCES models ON DELETE CASCADE,
    note INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    id TEXT NOT NULL,
    vectors INTEGER NOT NULL,
    accessed_at INTEGER,
    PRIMARY KEY (model, note)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS embedded_by_note ON embedded (note);

CREATE TRIGGER IF NOT EXISTS vector_added AFTER INSERT ON vectors BEGIN
    UPDATE models SET vectors = vectors + 1 WHERE row = new.model;
    INSERT INTO embedded (model, note, id, vectors, accessed_at)
        SELECT new.model, n.row, n.id, 1, u.accessed_at
        FROM notes n JOIN usage u ON u.note = n.row WHERE n.row = new.note
        ON CONFLICT (model, note) DO UPDATE SET vectors = vectors + 1;
END;
CREATE TRIGGER IF NOT EXISTS vector_removed AFTER DELETE ON vectors BEGIN
    UPDATE models SET vectors = vectors - 1 WHERE row = old.model;
    UPDATE embedded SET vectors = vectors - 1 WHERE model = old.model AND note = old.note;
END;
CREATE TRIGGER IF NOT EXISTS note_accessed AFTER UPDATE OF accessed_at ON usage BEGIN
    UPDATE embedded SET accessed_at = new.accessed_at WHERE note = new.note;
END;
"""

POOL: Final = """
-- R1.6: the notes accessed last among those that have an embedding, without reading any other
CREATE INDEX IF NOT EXISTS pool ON embedded (model, accessed_at DESC, id) WHERE vectors > 0;
"""

FILES: Final = """
CREATE TABLE IF NOT EXISTS files (
    space TEXT NOT NULL, path TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (space, path)
) WITHOUT ROWID;
"""

HISTORY: Final = """
-- The changes this file has really gone through. Their numbers are apart by chance, so that a copy put
-- back and written to again never reaches a number that the file it replaced had reached.
CREATE TABLE IF NOT EXISTS history (place INTEGER PRIMARY KEY AUTOINCREMENT, change INTEGER UNIQUE);
INSERT OR IGNORE INTO history (change) SELECT change FROM clock;
"""
