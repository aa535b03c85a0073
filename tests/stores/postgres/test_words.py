"""Words are ranked as the reference store ranks them, however many the server looks at."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.engine.learn import document_of
from recollect.model.errors import BadInput
from recollect.model.note import Note, Passage
from recollect.model.query import Scope
from recollect.model.tree import And, Bag, But, In, Node, Or, Phrase, Prefix, Word
from recollect.ports import Store
from recollect.stores.fields import FIELD_WEIGHTS
from recollect.stores.memory import memory_store
from recollect.stores.passage_words import field_words, passage_words
from recollect.stores.postgres import PostgresStore
from recollect.stores.postgres.bm25 import MOST_LEAVES
from recollect.stores.postgres.lexemes import expression, lexeme_of, quoted, row_of
from recollect.stores.postgres.pruning import Reach, Term, leading, ordered
from recollect.stores.postgres.words import PostgresWords
from tests.building import EVERYTHING, hit_ids, note, put
from tests.stores.postgres.emptying import empty

WORDS = [f"word{n}" for n in range(60)] + "running runs run ran 猫 東京タワー café naïve".split()
NOTES = 150
QUERIES: list[Node] = [
    Word("run"),
    Bag(tuple(Word(f"word{n}") for n in (0, 1, 2, 3, 40))),
    Or((Word("word1"), Word("word59"), Word("word1"), Word("runs"))),
    And((Word("word1"), Word("word2"))),
    But(Or((Word("word1"), Word("word3"))), Word("word0")),
    Phrase(("word1", "word0")),
    Phrase(("word0", "word0")),
    Phrase(("running",)),
    Phrase(("猫",)),
    Word("猫"),
    Word("京"),
    Prefix("word1"),
    Prefix("runn"),
    In("title", Word("word1")),
    In("tag", Prefix("word")),
    In("path", Word("word2")),
    And((In("title", Or((Word("word0"), Word("word1")))), Word("word2"))),
    Bag((Word("word5"), Phrase(("word0", "word1")), Prefix("na"))),
]


def crowd() -> list[Note]:
    chance = random.Random(7)

    def text(most: int) -> str:
        ranks = (int(chance.paretovariate(0.7)) - 1 for _ in range(chance.randint(1, most)))
        return " ".join(WORDS[rank % len(WORDS)] for rank in ranks)

    return [
        note(f"n{n:03}", text(40), title=text(4), tags=tuple(text(2).split()), path=f"{text(2)}.md")
        for n in range(NOTES)
    ]


@pytest.fixture(scope="module")
def reference() -> Store:
    store = memory_store()
    put(store, *crowd())
    return store


@pytest.fixture(scope="module")
def opened(plain_postgres: PostgresStore) -> Iterator[PostgresStore]:
    empty(plain_postgres)
    put(plain_postgres.store, *crowd())
    yield plain_postgres
    empty(plain_postgres)


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_order_and_scores_are_those_of_the_reference_to_the_last_bit(
    opened: PostgresStore, reference: Store, query: Node
) -> None:
    expected = reference.words.find(query, EVERYTHING, 400)
    for first in (1, 40, 2_000):
        words = PostgresWords(opened.connections, first=first)
        for depth in (1, 10, 400):
            assert words.find(query, EVERYTHING, depth) == expected[:depth]
    everyone = [f"n{n:03}" for n in range(NOTES)]
    assert words.containing(query, everyone) == reference.words.containing(query, everyone)


def test_a_narrow_scope_is_ranked_like_a_wide_one(opened: PostgresStore, reference: Store) -> None:
    scope = Scope.of("home", excluded=[f"n{n:03}" for n in range(0, NOTES, 2)])
    words = PostgresWords(opened.connections, first=1)
    for query in QUERIES:
        assert words.find(query, scope, 20) == reference.words.find(query, scope, 20)


def test_a_passage_that_hardly_beats_the_rarest_word_is_found(opened: PostgresStore) -> None:
    """Two common words, so often that they add nearly all they can, against one rare word."""
    texts = {
        **{f"rare{n}": "rare " * 200 for n in range(3)},
        "both": "alpha beta " * 200,
        **{f"one{n}": f"{('alpha', 'beta')[n % 2]} filler" for n in range(22)},
        **{f"none{n}": "filler filler" for n in range(34)},
    }
    notes = [note(name, text, space="tight") for name, text in texts.items()]
    reference, scope = memory_store(), Scope.of("tight")
    put(reference, *notes)
    put(opened.store, *notes)
    query = Bag((Word("rare"), Word("alpha"), Word("beta")))
    found = PostgresWords(opened.connections, first=1).find(query, scope, 3)
    opened.store.writer.remove(texts)
    assert hit_ids(found)[0] == "both"
    assert found == reference.words.find(query, scope, 3)


def test_how_rare_a_word_is_counts_in_the_spaces_that_are_asked(opened: PostgresStore) -> None:
    before = opened.store.words.find(Word("word3"), EVERYTHING, 5)
    put(opened.store, *(note(f"far{n}", "word3", space="elsewhere") for n in range(200)))
    assert opened.store.words.find(Word("word3"), EVERYTHING, 5) == before
    both = opened.store.words.find(Word("word3"), Scope.of("home", "elsewhere"), 5)
    assert both[0].score < before[0].score
    opened.store.writer.remove(f"far{n}" for n in range(200))


def test_of_a_very_long_query_the_most_telling_words_are_scored(opened: PostgresStore) -> None:
    put(opened.store, note("rare", "quetzalcoatl zeppelin"))
    many = Bag((*(Word(f"word{n % 60}") for n in range(240)), Word("quetzalcoatl")))
    words = [Word(f"x{n}") for n in range(MOST_LEAVES)]
    assert "rare" in hit_ids(opened.store.words.find(many, EVERYTHING, 400))
    assert list(opened.store.words.find(Bag(tuple(words)), EVERYTHING, 10)) == []
    opened.store.writer.remove(["rare"])


def test_a_broad_query_finds_what_all_its_words_together_do_not(opened: PostgresStore) -> None:
    """R5.4 asks for all words first; the engine then asks for any of them."""
    every = And((Word("word59"), Word("quetzalcoatl")))
    assert list(opened.store.words.find(every, EVERYTHING, 10)) == []
    assert opened.store.words.find(Or(every.nodes), EVERYTHING, 10)


def test_limits_of_a_tsvector_are_kept(opened: PostgresStore) -> None:
    giant = " ".join(f"token{n}" for n in range(90_000))
    long = "x" * 3_000
    often = "echo " * 20_000
    put(opened.store, note("giant", giant), note("long", f"{long} tail"), note("often", often))
    for word, expected in (
        ("token3", "giant"),
        (long, "long"),
        ("tail", "long"),
        ("echo", "often"),
    ):
        assert hit_ids(opened.store.words.find(Word(word), EVERYTHING, 9)) == [expected]
    assert hit_ids(opened.store.words.find(Prefix("x" * 2_000), EVERYTHING, 9)) == ["long"]
    assert list(opened.store.words.find(Word(f"{long}y"), EVERYTHING, 9)) == []
    opened.store.writer.remove(["giant", "long", "often"])


def test_a_phrase_never_goes_from_one_field_into_the_next(opened: PostgresStore) -> None:
    edge = note("edge", "omega", title="alpha", tags=("beta",), path="gamma.md")
    put(opened.store, edge)
    for pair in (("alpha", "beta"), ("beta", "gamma"), ("md", "omega"), ("alpha", "omega")):
        assert list(opened.store.words.find(Phrase(pair), EVERYTHING, 9)) == []
    assert hit_ids(opened.store.words.find(Phrase(("gamma", "md")), EVERYTHING, 9)) == ["edge"]
    opened.store.writer.remove(["edge"])


def test_a_tree_is_compiled_with_every_lexeme_quoted() -> None:
    tree = But(And((Word("running"), Phrase(("red", "car")))), In("title", Prefix("bi")))
    assert expression(tree, "english") == "(('run' & ('=red' <-> '=car')) & !('=bi':*A))"
    assert expression(Word("it's"), "english") == "' '"
    assert expression(Word("häuser"), "german") == "'haus'"
    assert quoted("a'b\\c") == "'a''b\\\\c'"
    with pytest.raises(BadInput):
        expression(In("nowhere", Word("x")), "english")


def test_a_passage_becomes_stems_and_exact_forms_at_the_same_places() -> None:
    document = document_of(
        note("a", title="Runs", path="p"), (Passage("a#0", "a", "running 猫と"),)
    )
    [words] = passage_words(document)
    row = row_of(words, "english")
    assert row.vector.split() == [
        *("'run':1A,6D", "'=runs':1A", "'p':4C", "'=p':4C", "'=running':6D"),
        *("'猫と':7D", "'=猫と':7D", "'猫':9D", "'と':10D"),
    ]
    assert row.terms == {"run", "p", "猫と", "猫", "と"}
    assert row.length == FIELD_WEIGHTS["title"] + FIELD_WEIGHTS["path"] + 2 * FIELD_WEIGHTS["text"]


def test_a_token_too_long_is_known_by_its_beginning_and_its_digest() -> None:
    one, other = "a" * 1000, "a" * 999 + "b"
    assert lexeme_of(one) != lexeme_of(other)
    assert len(lexeme_of(one).encode()) < 600
    assert (
        len(
            row_of(
                {name: field_words("") for name in ("title", "tag", "path", "text")}, "english"
            ).vector
        )
        == 0
    )


terms = st.lists(
    st.builds(
        Term,
        st.sampled_from("abcdefgh").map(quoted),
        st.integers(1, 1000),
        st.floats(0.01, 9.0),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda term: term.expression,
)


@given(terms, st.floats(0.0, 30.0), st.sets(st.sampled_from("abcdefgh")))
def test_no_passage_that_could_reach_the_score_is_left_out(
    several: list[Term], least: float, letters: set[str]
) -> None:
    reach = Reach(ordered(several), least)
    held = [term for term in several if term.expression[1] in letters]
    if held and sum(term.most for term in held) >= least:
        assert set(held) & set(reach.needed)
    left = reach.terms[len(reach.needed) :]
    assert not left or sum(term.most for term in left) < least


@given(terms, st.integers(0, 3000))
def test_the_most_telling_words_lead_and_bring_no_more_than_enough(
    several: list[Term], enough: int
) -> None:
    all_of_them = ordered(several)
    first = leading(all_of_them, enough)
    assert first
    assert list(first) == all_of_them[: len(first)]
    assert [term.most for term in all_of_them] == sorted(
        (one.most for one in several), reverse=True
    )
    if len(first) > 1:
        assert sum(term.holding for term in first) <= enough
