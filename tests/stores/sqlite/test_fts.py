"""Whatever is typed becomes an expression that FTS5 accepts and that means what was typed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import EVERYTHING, note

from recollect.engine.learn import document_of
from recollect.model.errors import BadInput, EmptyQuery
from recollect.model.tree import And, But, In, Node, Or, Phrase, Prefix, Word
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import resolve
from recollect.stores.memory import memory_store
from recollect.stores.sqlite import schema, sqlite_store
from recollect.stores.sqlite.fts import expression, fits
from recollect.stores.sqlite.migrations import statements


@pytest.fixture(scope="module")
def engine() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in (*statements(schema.NOTES), *statements(schema.WORDS)):
            connection.execute(statement)
        yield connection


def match(engine: sqlite3.Connection, query: str) -> list[int]:
    statement = "SELECT rowid FROM passage_words WHERE passage_words MATCH ?"
    return [row for (row,) in engine.execute(statement, (query,))]


@settings(max_examples=300, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=80),
        st.text(alphabet='ab AND OR NOT NEAR()"*-:^{}+,~\\\x00\u200b\u00a0猫', max_size=80),
        st.lists(
            st.sampled_from('a b* "a b" ( ) AND OR NOT -c title:x NEAR(a {text}:a 猫 ü'.split(" ")),
            max_size=25,
        ).map(" ".join),
    ),
    how=st.sampled_from(["any", "all"]),
)
def test_any_text_compiles_to_valid_fts5(engine: sqlite3.Connection, text: str, how: str) -> None:
    try:
        tree = resolve(parse(text).tree, "any" if how == "any" else "all")
    except EmptyQuery:
        return
    assert fits(tree)
    match(engine, expression(tree))


@pytest.mark.parametrize(
    "strange", ["", " ", "\x00", '"', "a b", "a-b", "NEAR", "A", "\ud800", "*", "_", "\u00a0"]
)
def test_no_leaf_whatever_breaks_the_syntax(engine: sqlite3.Connection, strange: str) -> None:
    for leaf in (Word(strange), Prefix(strange), Phrase((strange,)), Phrase(("a", strange))):
        for node in (leaf, In("title", leaf), And((leaf, Word("b"))), But(Word("b"), leaf)):
            assert match(engine, expression(node)) == []
    assert match(engine, expression(Phrase(()))) == []


def nested(depth: int, kind: str) -> Node:
    tree: Node = Word("core")
    for level in range(depth):
        word = Word(f"w{level}")
        match kind:
            case "unwanted":
                tree = But(word, tree)
            case "wanted":
                tree = But(tree, word)
            case _:
                tree = (And if level % 2 else Or)((word, tree))
    return tree


@pytest.mark.parametrize("kind", ["unwanted", "wanted", "groups"])
@pytest.mark.parametrize("depth", [1, 10, 25, 26, 27, 50, 120])
def test_a_tree_of_any_depth_is_matched_as_the_reference_does(
    tmp_path: Path, kind: str, depth: int
) -> None:
    texts = [
        "core",
        "w0",
        "w1 w3 w5",
        "core w0 w2",
        "w49",
        "w48 w49",
        f"core w{depth - 1}",
        "w0 w1",
    ]
    documents = [document_of(note(f"n{at}", text)) for at, text in enumerate(texts)]
    reference = memory_store()
    reference.writer.put(documents)
    tree = nested(depth, kind)
    with sqlite_store(tmp_path / "store.db") as opened:
        opened.store.writer.put(documents)
        for query in (tree, In("text", tree)):
            assert opened.store.words.find(query, EVERYTHING, 20) == reference.words.find(
                query, EVERYTHING, 20
            )


def test_hundreds_of_words_are_one_expression(engine: sqlite3.Connection) -> None:
    words = tuple(Word(f"w{n}") for n in range(256))
    for tree in (Or(words), And(words), But(Word("a"), Or(words))):
        assert match(engine, expression(tree)) == []


def test_a_field_that_does_not_exist_is_named() -> None:
    with pytest.raises(BadInput, match="author"):
        expression(In("author", Word("a")))


def test_expressions_read_as_they_were_asked() -> None:
    assert expression(Or((Word("running"), Word("fox")))) == '"run" OR "fox"'
    assert expression(In("title", Word("fox"))) == '{title title_stems} : "fox"'
    assert expression(Phrase(("red", "fox"))) == '{title tag path text} : "red fox"'
    assert expression(But(Prefix("fo"), Word("dog"))) == '{title tag path text} : "fo" * NOT "dog"'
