"""Each space is searched in its own language, also when one question goes to several."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.faces.cli import main
from recollect.faces.cli.commands import Exit
from recollect.model.errors import BadInput
from recollect.model.query import Scope
from recollect.model.tree import Phrase, Prefix, Word
from recollect.stores.languages import OWNER
from recollect.stores.memory import memory_store
from recollect.stores.postgres import PostgresStore, postgres_store
from recollect.stores.sqlite import sqlite_store
from tests.building import hit_ids, note, put
from tests.stores.postgres.emptying import empty
from tests.stores.postgres.server import Server

BERLIN, LONDON = Scope.of("berlin"), Scope.of("london")
BOTH = Scope.of("berlin", "london")


@pytest.fixture
def opened(plain_postgres: PostgresStore) -> Iterator[PostgresStore]:
    empty(plain_postgres)
    yield plain_postgres
    empty(plain_postgres)


def fill(opened: PostgresStore) -> None:
    put(
        opened.store,
        note("häuser", "alte Häuser am Fluss", space="berlin", path="x"),
        note("houses", "old houses by the river", space="london", path="y"),
        note("läufer", "ein Läufer läuft", space="berlin", path="z"),
    )


def found(opened: PostgresStore, word: str, scope: Scope) -> list[str]:
    return hit_ids(opened.store.words.find(Word(word), scope, 10))


def test_a_space_speaks_english_unless_it_is_told_otherwise(opened: PostgresStore) -> None:
    fill(opened)
    assert found(opened, "house", LONDON) == ["houses"]
    assert found(opened, "haus", BERLIN) == []


def test_a_language_set_before_the_first_note_is_spoken_from_the_start(
    opened: PostgresStore,
) -> None:
    opened.store.settings.change_settings(OWNER, {"berlin": "german"})
    fill(opened)
    assert found(opened, "haus", BERLIN) == ["häuser"]
    assert found(opened, "house", LONDON) == ["houses"]


def test_one_question_goes_to_spaces_of_different_languages(opened: PostgresStore) -> None:
    opened.store.settings.change_settings(OWNER, {"berlin": "german"})
    fill(opened)
    put(opened.store, note("haus", "haus", space="london", path="w"))
    assert sorted(found(opened, "haus", BOTH)) == ["haus", "häuser"]
    assert found(opened, "houses", BOTH) == ["houses"]
    assert opened.store.words.containing(Word("haus"), ["häuser", "houses", "haus"]) == {
        *("häuser", "haus"),
    }


def test_a_language_that_changes_is_spoken_once_the_store_is_published(
    opened: PostgresStore,
) -> None:
    fill(opened)
    opened.store.settings.change_settings(OWNER, {"berlin": "german"})
    assert found(opened, "haus", BERLIN) == []
    [warning] = [one for one in opened.upkeep.examine() if one.level == "warn"]
    assert "berlin" in warning.what
    opened.publish()
    assert found(opened, "haus", BERLIN) == ["häuser"]
    assert [one for one in opened.upkeep.examine(thorough=True) if one.level != "ok"] == []
    opened.store.settings.change_settings(OWNER, {"berlin": "english"})
    opened.publish()
    assert found(opened, "haus", BERLIN) == []


def test_exact_forms_are_found_in_any_language(opened: PostgresStore) -> None:
    opened.store.settings.change_settings(OWNER, {"berlin": "german"})
    fill(opened)
    words = opened.store.words
    assert hit_ids(words.find(Phrase(("alte", "hauser")), BERLIN, 9)) == ["häuser"]
    assert hit_ids(words.find(Prefix("lauf"), BERLIN, 9)) == ["läufer"]


def test_a_language_nobody_knows_is_refused(opened: PostgresStore) -> None:
    with pytest.raises(BadInput, match="is not one of arabic"):
        opened.store.settings.change_settings(OWNER, {"berlin": "klingon"})
    assert opened.store.settings.settings(OWNER) == {}


def test_a_file_speaks_english(tmp_path_factory: pytest.TempPathFactory) -> None:
    with sqlite_store(tmp_path_factory.mktemp("s") / "store.db") as file:
        for store in (file.store, memory_store()):
            with pytest.raises(BadInput, match="keep it in Postgres"):
                store.settings.change_settings(OWNER, {"berlin": "german"})
            assert store.settings.change_settings(OWNER, {"berlin": "english"})


def test_the_command_lists_spaces_and_sets_their_language(
    plain_server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("RECOLLECT_STORE", plain_server.address)
    with postgres_store(plain_server.address, partitions=2) as opened:
        empty(opened)
        fill(opened)
    assert main(("space",)) == Exit.OK
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["berlin", "2", "notes", "2", "passages", "english"],
        ["london", "1", "notes", "1", "passages", "english"],
    ]
    assert main(("space", "berlin", "--language", "german", "--json")) == Exit.OK
    assert json.loads(capsys.readouterr().out) == [
        {"space": "berlin", "notes": 2, "passages": 2, "language": "german"}
    ]
    with postgres_store(plain_server.address) as opened:
        assert found(opened, "haus", BERLIN) == ["häuser"]
    assert main(("space", "--language", "german")) == Exit.USAGE
    assert main(("space", "berlin", "--language", "klingon")) == Exit.USAGE
    assert "klingon" in capsys.readouterr().err
    assert main(("space", "new", "--language", "french")) == Exit.OK
    assert "new holds nothing yet: french" in capsys.readouterr().out
    assert (
        main(("space", "a", "--language", "french", "--store", str(tmp_path / "a.db"))) != Exit.OK
    )
