"""Seed 004, number by number: a chat service's episodes."""

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.errors import BadInput, SearchFailed
from recollect.model.query import Scope
from recollect.recipes.recipe import ByMeaning, ByWords
from recollect.recipes.shelf import CHAT
from recollect.retrieve.fuse import RRF
from recollect.stores.memory import memory_store
from tests.building import Home, ids, note
from tests.fakes import hits, scene

BOTH = {"words": 1.0}


def test_the_defaults_are_the_seeds() -> None:
    """R4.1"""
    meaning, words = CHAT.legs
    assert isinstance(meaning, ByMeaning)
    assert isinstance(words, ByWords)
    assert (meaning.weight, words.weight) == (1.0, 0.0)
    assert CHAT.fusion == RRF(k=60)


@pytest.mark.parametrize(("semantic", "keyword"), [(1.0, 1.0), (0.5, 2.0), (5, 5), (0, 1), (1, 0)])
def test_a_score_is_both_weights_over_sixty_plus_rank(semantic: float, keyword: float) -> None:
    """R4.1"""
    made = scene([note("a"), note("b")], meaning=hits("a", "b"), words=hits("b", "a"))
    answer = made.ask(CHAT, weights={"meaning": semantic, "words": keyword})
    assert {one.note_id: one.score for one in answer.results} == pytest.approx(
        {"a": semantic / 61 + keyword / 62, "b": semantic / 62 + keyword / 61}
    )


@pytest.mark.parametrize("weight", [-0.1, 5.1, float("nan"), float("inf"), "1", None, True])
def test_weights_range_from_nothing_to_five(weight: object) -> None:
    """R4.1"""
    with pytest.raises(BadInput, match=r"weights\.words.*from 0 to 5"):
        scene([note("a")]).ask(CHAT, weights={"words": weight})


def test_the_full_text_search_is_never_called_at_weight_zero() -> None:
    """R4.3"""
    made = scene([note("a"), note("b")], meaning=hits("a"), words=hits("b"))
    answer = made.ask(CHAT)
    assert made.words.calls == 0
    assert ids(answer) == ["a"]


def test_no_keyword_only_episode_bleeds_through_at_weight_zero() -> None:
    """R4.3"""
    own = Home(memory_store(), Hashing()).learn(note("embedded", "alpha"))
    Home(own.store).learn(note("keyword", "alpha"))
    assert ids(own.ask("alpha", CHAT)) == ["embedded"]
    assert sorted(ids(own.ask("alpha", CHAT, weights=BOTH))) == ["embedded", "keyword"]


def test_weights_count_from_the_next_question_on() -> None:
    """R4.2, as far as the core goes: a weight comes with the query."""
    made = scene([note("a"), note("b")], meaning=hits("a", "b"), words=hits("b", "a"))
    assert ids(made.ask(CHAT)) == ["a", "b"]
    assert ids(made.ask(CHAT, weights={"meaning": 0.5, "words": 2.0})) == ["b", "a"]
    assert ids(made.ask(CHAT)) == ["a", "b"]


@pytest.mark.parametrize("limit", [1, 4, 10])
def test_the_keyword_leg_asks_for_twice_the_limit_and_the_semantic_for_once(limit: int) -> None:
    """R4.4"""
    made = scene([note("a")], meaning=hits("a"), words=hits("a"))
    made.ask(CHAT, weights=BOTH, limit=limit)
    assert made.words.depths == [2 * limit]
    assert made.vectors.depths == [limit]


def test_recent_ids_are_excluded_from_both_legs_inside_their_query() -> None:
    """R4.4"""
    scope = Scope.of("home", excluded=["recent"])
    made = scene([note("a")], meaning=hits("a"), words=hits("a"))
    made.ask(CHAT, scope=scope, weights=BOTH)
    assert made.words.scopes == [scope]
    assert made.vectors.scopes == [scope]


def test_recent_ids_do_not_use_up_the_limit() -> None:
    """R4.4"""
    names = [f"n{at}" for at in range(8)]
    own = Home(memory_store(), Hashing()).learn(*(note(name, "alpha") for name in names))
    scope = Scope.of("home", excluded=names[:4])
    for weights in ({}, BOTH):
        assert ids(own.ask("alpha", CHAT, scope, weights=weights, limit=4)) == names[4:]


def test_both_legs_keep_to_the_sessions_of_the_project() -> None:
    """R4.5"""
    own = Home(memory_store(), Hashing()).learn(
        note("a", "alpha", session="1"),
        note("b", "alpha", session="2"),
        note("c", "alpha", session="3"),
    )
    own.store.sessions.open_session("home", "1", "p")
    own.store.sessions.open_session("home", "2", "p")
    own.store.sessions.open_session("home", "3")
    around = own.store.sessions.sessions_around
    for session, expected in (("1", ["a", "b"]), ("2", ["a", "b"]), ("3", ["c"])):
        scope = Scope.of("home", sessions=around("home", session))
        for weights in ({"words": 0.0}, BOTH, {"words": 1.0, "meaning": 0.0}):
            assert sorted(ids(own.ask("alpha", CHAT, scope, weights=weights))) == expected


@pytest.mark.parametrize(
    ("broken", "left", "part"), [("words", "a", "words"), ("meaning", "b", "meaning")]
)
def test_one_leg_failing_leaves_the_others_results_and_says_so(
    broken: str, left: str, part: str
) -> None:
    """R4.6"""
    made = scene([note("a"), note("b")], meaning=hits("a"), words=hits("b"))
    port = made.words if broken == "words" else made.vectors
    port.error = RuntimeError("connection refused")
    answer = made.ask(CHAT, weights=BOTH)
    assert ids(answer) == [left]
    [degraded] = answer.degraded
    assert (degraded.part, degraded.code) == (part, "failed")
    assert "connection refused" in degraded.why


def test_both_legs_failing_is_an_error_and_not_an_empty_answer() -> None:
    """R4.6"""
    made = scene([note("a")], meaning=hits("a"), words=hits("a"))
    made.words.error = made.vectors.error = RuntimeError("down")
    with pytest.raises(SearchFailed, match=r"words.*meaning"):
        made.ask(CHAT, weights=BOTH)


def test_equal_scores_come_as_the_semantic_leg_brought_them_first() -> None:
    """R4.1: the order of a map that the semantic leg filled first."""
    names = ("z", "y", "b", "a")
    made = scene([note(name) for name in names], meaning=hits("z", "y"), words=hits("b", "a"))
    assert ids(made.ask(CHAT, weights=BOTH)) == ["z", "b", "y", "a"]


def test_a_keyword_episode_has_the_same_shape_as_a_semantic_one() -> None:
    """R4.6"""
    made = scene(
        [note("a", session="1", title="A"), note("b", session="1", title="B")],
        meaning=hits("a"),
        words=hits("b"),
    )
    one, other = made.ask(CHAT, weights=BOTH).results
    assert (one.title, one.session, one.snippet) == ("A", "1", "a")
    assert (other.title, other.session, other.snippet) == ("B", "1", "b")


def test_the_answer_is_cut_to_the_limit_after_fusion() -> None:
    """R4.4"""
    made = scene(
        [note(name) for name in "abcd"], meaning=hits(*"abcd"), words=hits("d", "c", "b", "a")
    )
    answer = made.ask(CHAT, weights={"words": 5.0}, limit=2)
    assert ids(answer) == ["b", "a"]
