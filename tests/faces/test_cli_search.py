"""Searching, explaining and getting from the command line."""

import re
from pathlib import Path

import pytest

from recollect.faces.cli.commands import Exit
from tests.faces.conftest import Person

EVIL = "# \x1b]0;owned\x07Evil\n\x1b[31mred\x1b[0m fox \x9b2J\x08\x7f and more\r\nfox\n"
KEYS = {"results", "took_ms", "degraded", "trace", "no_relevant_match"}
RESULT_KEYS = {
    "id", "note_id", "path", "title", "snippet", "score", "score_normalised", "rank", "legs",
    "adjustments", "highlights", "heading", "lines", "space", "tags",
}  # fmt: skip


def test_the_best_note_stands_first_with_its_place_and_snippet(vault: Person) -> None:
    said = vault.types("search", "quick", "fox", "--model", "hashing")
    assert said.code == Exit.OK
    assert said.out.startswith(" 1. Fox  fox.md:1")
    assert "crosses the" in said.out


def test_every_word_of_any_language_is_found(vault: Person) -> None:
    assert vault.finds("räuber") == vault.finds("狐狸") == ["sub/räuber.md"]


def test_json_has_the_documented_keys(vault: Person) -> None:
    for command in ("search", "explain"):
        shape = vault.types(command, "fox", "--json", "--model", "hashing").json
        assert set(shape) == KEYS
        assert set(shape["results"][0]) >= RESULT_KEYS


def test_nothing_found_is_an_exit_code_of_its_own(vault: Person) -> None:
    said = vault.types("search", "xylophone", "--model", "none")
    assert said.code == Exit.NOTHING_FOUND
    assert "nothing found" in said.err
    assert not said.out


def test_explain_draws_a_bar_for_every_leg(vault: Person) -> None:
    said = vault.types("search", "fox", "--explain", "--model", "hashing")
    assert re.search(r"words +0\.\d+ +█", said.out)
    assert re.search(r"meaning +0\.\d+ +█", said.out)
    assert "score" in vault.types("explain", "fox", "--model", "hashing").out


@pytest.mark.parametrize(
    ("words", "value", "way_out"),
    [
        (["--mode", "foo"], "'foo'", "auto, bm25, semantic, hybrid"),
        (["--sort-by", "foo"], "'foo'", "relevance, recency, importance"),
        (["--limit", "0"], "0", "from 1 to 1000"),
        (["--limit", "many"], "'many'", "--limit"),
        (["--weight", "words"], "'words'", "LEG=NUMBER"),
        (["--weight", "words=9"], "'words=9'", "from 0 to 5"),
        (["--weight", "wurds=1"], "'wurds'", "meaning, words"),
        (["--floor", "2"], "2.0", "from 0 to 1"),
        (["--since", "never"], "'never'", "3d"),
        (["--since", "99999999999y"], "'99999999999y'", "3d"),
        (["--before", "²d"], "'²d'", "2026-01-31"),
        (["--recipe", "brian"], "'brian'", "brain"),
        (["--recipe", "nowhere.toml"], "'nowhere.toml'", "No such file"),
        (["--model", "gpt"], "'gpt'", "static"),
        (["--rerank", "gpt"], "'gpt'", "maxsim"),
        (["--space", "elsewhere"], "'elsewhere'", "my nötes"),
        (["--deadline-ms", "0"], "0.0", "from 1"),
        (["--store", ""], "''", "path of a file"),
        (["--store", "mysql://u:secret@host/db"], "mysql://…", "postgresql://"),
        (["--vectors", "ftp://host"], "ftp://host", "https://"),
    ],
)
def test_wrong_input_is_named_with_the_way_out(
    vault: Person, words: list[str], value: str, way_out: str
) -> None:
    said = vault.types("search", "fox", *words)
    assert said.code == Exit.USAGE
    assert value in said.err
    assert way_out in said.err
    assert not said.out


@pytest.mark.parametrize("query", ["", "   ", '""', "(", "-fox", "\udcff"])
def test_a_query_that_names_nothing_is_refused(vault: Person, query: str) -> None:
    said = vault.types("search", "--", query)
    assert said.code == Exit.USAGE
    assert "query" in said.err


def test_a_huge_query_is_answered(vault: Person) -> None:
    assert vault.finds("fox " + "a" * 100_000)[0] == "fox.md"


def test_without_a_store_the_next_step_is_told(person: Person) -> None:
    for words in (["search", "fox"], ["status"], ["get", "fox"], ["doctor"], ["export"]):
        said = person.types(*words)
        assert said.code == Exit.FAILED
        assert "recollect index FOLDER" in said.err
        assert str(person.store) in said.err
    assert not person.store.exists()


def test_an_empty_store_tells_how_to_fill_it(person: Person) -> None:
    assert person.types("init").code == Exit.OK
    said = person.types("search", "fox", "--model", "none")
    assert said.code == Exit.NOTHING_FOUND
    assert "recollect index FOLDER" in said.err


def test_a_store_that_is_a_folder_or_another_file_is_refused(vault: Person) -> None:
    text = vault.write("fox.md", "no database")
    for place in (vault.notes, text):
        said = vault.types("search", "fox", "--store", str(place))
        assert said.code == Exit.FAILED
        assert str(place) in said.err
    assert text.read_text() == "no database"


def test_the_environment_names_the_store_and_an_option_overrules_it(
    vault: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RECOLLECT_STORE", str(tmp_path / "other.db"))
    assert "other.db" in vault.types("search", "fox").err
    assert vault.finds("fox", "--store", str(vault.store)) == ["fox.md"]


def test_no_control_character_of_a_note_reaches_the_terminal(person: Person) -> None:
    person.write("evil\x1b[2J.md", EVIL)
    said = person.index()
    shown = [said.out, said.err]
    for words in (
        ["search", "fox", "--model", "hashing", "--explain"],
        ["explain", "fox", "--model", "hashing"],
        ["get", "evil\x1b[2J.md"],
        ["forget", "--query", "fox"],
        ["why-not", "evil\x1b[2J.md", "fox", "--model", "hashing"],
    ):
        answer = person.types(*words)
        assert answer.code == Exit.OK, answer.err
        shown += [answer.out, answer.err]
    told = "".join(shown)
    assert "Evil" in told
    assert not [c for c in told if not c.isprintable() and c not in "\n\t"]


def test_a_pipe_gets_no_colour(vault: Person) -> None:
    said = vault.types("search", "fox", "--explain", "--model", "hashing")
    assert "\x1b" not in said.out + said.err


def test_a_missing_model_is_told_and_words_still_answer(vault: Person) -> None:
    said = vault.types("search", "fox", "--model", f"onnx:{vault.home / 'none'}")
    assert said.code == Exit.OK
    assert "fox.md" in said.out
    assert "without meaning (failed)" in said.err


def test_passages_without_a_vector_are_counted_in_the_answer(vault: Person) -> None:
    vault.write("new.md", "a fox that came later")
    vault.index("--no-embed")
    [partial] = vault.types("search", "fox", "--json", "--model", "hashing").json["degraded"]
    assert (partial["part"], partial["code"]) == ("meaning", "partial")
    assert "1 passage has no vector" in partial["why"]


def test_a_note_is_got_by_its_path_or_the_end_of_it(vault: Person) -> None:
    whole = vault.types("get", "sub/räuber.md")
    assert whole.code == Exit.OK
    assert "Der Fuchs" in whole.out
    assert vault.types("get", "räuber.md").out == whole.out


def test_a_note_as_json_tells_who_links_to_it(vault: Person) -> None:
    fox, river = (vault.types("get", path, "--json").json for path in ("fox.md", "river.md"))
    assert river["backlinks"] == [fox["id"]]
    assert fox["tags"] == ["animal"]
    assert set(fox) == {
        "id", "space", "path", "title", "text", "importance", "tags", "session", "project",
        "created_at", "modified_at", "backlinks",
    }  # fmt: skip


def test_an_unknown_note_is_named(vault: Person) -> None:
    said = vault.types("get", "nowhere.md")
    assert said.code == Exit.USAGE
    assert "'nowhere.md'" in said.err


def test_why_not_tells_in_words_and_in_json(vault: Person) -> None:
    words = ["why-not", "fox.md", "fox", "--model", "hashing"]
    assert "it is there, at 1" in vault.types(*words).out
    shape = vault.types(*words, "--json").json
    assert set(shape) == {"note_id", "reasons"}
    assert vault.types("why-not", "nowhere.md", "fox").code == Exit.USAGE


def test_a_recipe_of_ones_own_is_read_from_a_file(vault: Person) -> None:
    recipe = vault.types("recipes", "memory").out
    place = vault.home / "mine.toml"
    place.write_text(recipe.replace("limit = 10", "limit = 1"))
    said = vault.types("search", "the", "--recipe", str(place), "--json", "--model", "hashing")
    assert len(said.json["results"]) == 1
    assert said.json["trace"]["recipe"] == "memory"


def test_the_recipes_are_listed(vault: Person) -> None:
    assert set(vault.types("recipes", "--json").json) >= {"vault", "memory", "brain", "chat"}
    assert "vault" in vault.types("recipes").out
    assert vault.types("recipes", "brian").code == Exit.USAGE


def test_a_vaults_own_settings_decide_its_searches(vault: Person) -> None:
    vault.types("init", str(vault.notes))
    config = vault.notes / ".recollect" / "config.toml"
    config.write_text('[retrieval]\nfusion_algorithm = "weighted"\n')
    trace = vault.types("search", "fox", "--json", "--model", "hashing").json["trace"]
    assert trace["fusion"].startswith("Weighted")
