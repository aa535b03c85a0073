"""What a query's way through reads, cuts and shows."""

import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.learn import document_of
from recollect.model.note import Link, Passage
from recollect.recipes.shelf import BRAIN, MEMORY, RECOLLECT, VAULT
from recollect.stores.memory import memory_store
from tests.building import Home, ids, note
from tests.fakes import SaidJudge, hits, scene


def test_facts_are_read_exactly_once_and_in_one_batch() -> None:
    """R0.8"""
    names = [f"n{at:03}" for at in range(150)]
    made = scene(
        [note(name) for name in names],
        words=hits(*names[:90]),
        meaning=hits(*names[60:]),
        judge=SaidJudge(),
    )
    for recipe in (MEMORY, VAULT, BRAIN, RECOLLECT):
        made.shelf.facts_calls.clear()
        made.ask(recipe, limit=50)
        assert len(made.shelf.facts_calls) == 1
        batch = made.shelf.facts_calls[0]
        assert len(batch) == len(set(batch))


@pytest.mark.parametrize("recipe", [MEMORY, VAULT, BRAIN, RECOLLECT])
def test_a_query_is_embedded_exactly_once(recipe: object) -> None:
    """R0.8"""
    made = scene([note("a")], words=hits("a"), meaning=hits("a"), links=hits("a"))
    made.ask(recipe, "what about it?")  # type: ignore[arg-type]
    assert made.embedder.texts == ["what about it?"]


def test_operators_are_not_embedded() -> None:
    """A model reads words; `AND NOT title:` says nothing to it."""
    made = scene([note("a")], meaning=hits("a"))
    made.ask(BRAIN, 'title:red AND "fast car" NOT boat')
    assert made.embedder.texts == ["red fast car"]


@pytest.mark.parametrize(("floor", "left"), [(0.0, 5), (0.5, 5), (0.97, 2), (1.0, 1)])
def test_the_floor_counts_what_it_leaves_out(floor: float, left: int) -> None:
    """R2.11: normalised scores here are 1, 61/62, 61/63, …"""
    made = scene([note(name) for name in "abcde"], words=hits(*"abcde"))
    answer = made.ask(BRAIN, mode="bm25", floor=floor)
    assert len(answer.results) == left
    assert answer.trace.below_floor == 5 - left
    assert answer.results[1:2] == () or answer.results[1].score_normalised == pytest.approx(61 / 62)


def test_the_floor_counts_even_what_the_limit_would_have_cut() -> None:
    made = scene([note(name) for name in "abcde"], words=hits(*"abcde"))
    answer = made.ask(BRAIN, mode="bm25", floor=0.97, limit=1)
    assert (len(answer.results), answer.trace.below_floor) == (1, 3)


def test_a_normalised_score_is_the_share_of_what_all_legs_could_give() -> None:
    """R0.11: divided by the sum of weights over k + 1"""
    made = scene([note("a"), note("b")], words=hits("a", "b"), meaning=hits("a"))
    one, other = made.ask(BRAIN).results
    assert one.score_normalised == pytest.approx(1.0)
    assert other.score_normalised == pytest.approx((1 / 62) / (2 / 61))


def test_ranks_count_from_one() -> None:
    made = scene([note(name) for name in "abc"], words=hits(*"abc"))
    assert [one.rank for one in made.ask(BRAIN).results] == [1, 2, 3]


def test_a_name_and_its_other_name_find_the_same() -> None:
    """R2.5"""
    own = Home(memory_store()).learn(
        note("long", "upgrading kubernetes"), note("short", "k8s upgrade"), note("no", "upgrade")
    )
    assert ids(own.ask("k8s", BRAIN)) == ["short"]
    own.store.writer.set_aliases("home", {"k8s": ("kubernetes",)})
    answer = own.ask("k8s", BRAIN)
    assert sorted(ids(answer)) == ["long", "short"]
    assert answer.trace.compiled == '(k8s OR "kubernetes")'
    assert sorted(ids(own.ask("k8s AND upgrade", BRAIN))) == ["long", "short"]


def test_a_name_of_several_words_has_other_names_too() -> None:
    """R2.5"""
    own = Home(memory_store()).learn(note("ml", "ML course"), note("no", "machine shop"))
    own.store.writer.set_aliases("home", {"machine learning": ("ml",), "ml": ("machine learning",)})
    assert ids(own.ask("machine learning", MEMORY)) == ["ml"]
    assert ids(own.ask('"machine learning"', BRAIN)) == ["ml"]


def test_another_name_keeps_a_phrase_required() -> None:
    """R2.5"""
    own = Home(memory_store()).learn(note("ml", "ml course"), note("no", "course"))
    own.store.writer.set_aliases("home", {"machine learning": ("ml",)})
    assert ids(own.ask('"machine learning" course', BRAIN)) == ["ml"]


def test_a_question_that_quotes_what_no_note_says_is_searched_by_its_words() -> None:
    own = Home(memory_store()).learn(note("svd", "image restoration by decomposition"), note("no"))
    answer = own.ask('image decomposition as in "Outer product expansions"', BRAIN)
    assert (ids(answer), answer.trace.broadened, answer.trace.attempts) == (["svd"], True, ())


def test_a_phrase_that_some_note_says_stays_required() -> None:
    own = Home(memory_store()).learn(note("ml", "machine learning course"), note("no", "course"))
    answer = own.ask('"machine learning" course', BRAIN)
    assert (ids(answer), answer.trace.broadened) == (["ml"], False)


def test_aliases_of_another_space_do_not_count() -> None:
    own = Home(memory_store()).learn(note("long", "kubernetes"))
    own.store.writer.set_aliases("work", {"k8s": ("kubernetes",)})
    assert ids(own.ask("k8s", MEMORY)) == []


def test_a_result_shows_the_passage_that_matched_and_where_it_stands() -> None:
    own = Home(memory_store(), Hashing())
    passages = (
        Passage("a#0", "a", "about cats", heading=("Pets",), first_line=1, last_line=2),
        Passage("a#1", "a", "about dogs", heading=("Pets", "Dogs"), first_line=3, last_line=4),
    )
    own.store.writer.put([document_of(note("a", "about cats\nabout dogs", title="T"), passages)])
    [result] = own.ask("dogs", BRAIN).results
    assert (result.id, result.note_id) == ("a#1", "a")
    assert (result.snippet, result.highlights) == ("about dogs", ((6, 10),))
    assert (result.heading, result.lines) == (("Pets", "Dogs"), (3, 4))


def test_a_note_that_only_a_date_or_link_brought_shows_its_beginning() -> None:
    made = scene([note("a", "the beginning"), note("b", "b")], words=hits("b"))
    made.graph.says = [hit._replace(passage_id=None) for hit in hits("a")]
    found = {one.note_id: one for one in made.ask(MEMORY).results}
    assert (found["a"].id, found["a"].snippet) == ("a#0", "the beginning")


def test_only_the_first_so_many_are_followed_along_their_links() -> None:
    """R5.1"""
    names = [f"n{at:02}" for at in range(14)]
    made = scene([note(name) for name in names], words=hits(*names))
    made.ask(MEMORY)
    assert list(made.graph.seeds[0]) == names[:10]


def test_what_a_newer_note_supersedes_steps_back() -> None:
    made = scene(
        [note("old"), note("new", links=(Link("old", "supersedes"),))], words=hits("old", "new")
    )
    answer = made.ask(MEMORY)
    assert ids(answer) == ["new", "old"]
    assert [(step.name, step.amount) for step in answer.results[1].adjustments] == [
        ("superseded", 0.5)
    ]
    assert answer.results[1].score == 0.5 / 61
