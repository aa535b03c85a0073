"""Seed 002, number by number: a knowledge brain's fusion, modes, shortcut, rerank and trace."""

import json
from dataclasses import replace

import pytest

from recollect.encoders.hashing import Hashing
from recollect.engine.ask import ask
from recollect.model.answer import Attempt
from recollect.model.note import Note
from recollect.model.query import Query
from recollect.model.ranking import Hit, Ranking
from recollect.recipes.recipe import ByMeaning, ByWords, Rerank
from recollect.recipes.shelf import BRAIN
from recollect.retrieve.fuse import RRF
from recollect.retrieve.group import witnesses
from recollect.retrieve.rerank import agreements, is_unanimous, judged_text, reordered
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, NOW, Home, ids, note
from tests.fakes import SaidJudge, hits, scene

MODES = ("auto", "bm25", "semantic", "hybrid")


def test_the_defaults_are_the_seeds() -> None:
    """R2.4: topK 10, candidateK 60, rerankTopN 20, rerank on"""
    words, meaning = BRAIN.legs
    assert isinstance(words, ByWords)
    assert isinstance(meaning, ByMeaning)
    assert BRAIN.limit == 10
    assert (words.depth, meaning.depth) == (60, 60)
    assert BRAIN.rerank == Rerank(top_n=20, document="title_summary", enabled=True)
    assert BRAIN.fusion == RRF(k=60)
    made = scene([note("a")], words=hits("a"), meaning=hits("a"))
    made.ask(BRAIN)
    assert (made.words.depths, made.vectors.depths) == ([60], [60])


def test_lists_are_summed_over_sixty_plus_rank() -> None:
    """R2.1"""
    made = scene([note(name) for name in "abc"], words=hits("a", "b"), meaning=hits("b", "c"))
    found = {one.note_id: one.score for one in made.ask(BRAIN).results}
    assert found == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62})


def test_ties_break_by_path_ascending() -> None:
    """R2.1: whichever leg brought them, whatever their ids"""
    made = scene(
        [note("1", path="z.md"), note("2", path="a.md")], words=hits("1"), meaning=hits("2")
    )
    assert ids(made.ask(BRAIN)) == ["2", "1"]


def test_the_first_list_names_the_passage_and_later_ones_fill_blanks() -> None:
    """R2.1"""
    links = Ranking("links", 1.0, (Hit("a", 1.0), Hit("b", 0.5)))
    words = Ranking("words", 1.0, (Hit("b", 3.0, "b#2"), Hit("c", 2.0, "c#0")))
    meaning = Ranking("meaning", 1.0, (Hit("a", 0.9, "a#1"), Hit("b", 0.8, "b#7")))
    assert witnesses([links, words, meaning]) == {"a": "a#1", "b": "b#2", "c": "c#0"}
    assert witnesses([meaning, words, links]) == {"a": "a#1", "b": "b#7", "c": "c#0"}


@pytest.mark.parametrize("asked", MODES)
@pytest.mark.parametrize("has_meaning", [True, False])
def test_the_table_of_modes(asked: str, has_meaning: bool) -> None:
    """R2.2"""
    made = scene(
        [note("w"), note("m")], words=hits("w"), meaning=hits("m"), has_meaning=has_meaning
    )
    answer = made.ask(BRAIN, mode=asked)
    trace = answer.trace
    resolved = asked if has_meaning else "bm25"
    resolved = "hybrid" if resolved == "auto" else resolved
    assert (trace.mode_asked, trace.mode) == (asked, resolved)
    assert trace.fell_back is (asked in ("semantic", "hybrid") and not has_meaning)
    expected = {"bm25": {"w"}, "semantic": {"m"}, "hybrid": {"w", "m"}}[resolved]
    assert set(ids(answer)) == expected
    missing = not has_meaning and asked != "bm25"
    assert [(one.part, one.code) for one in answer.degraded] == (
        [("meaning", "absent")] if missing else []
    )


def test_an_embedder_without_vectors_to_search_is_no_embedder() -> None:
    """R2.2"""
    made = scene([note("a")], words=hits("a"))
    ports = made.ports()._replace(vectors=None)
    answer = ask(Query("a", EVERYTHING, NOW, mode="hybrid"), BRAIN, ports)
    assert (answer.trace.mode, answer.trace.fell_back) == ("bm25", True)


@pytest.mark.parametrize(("mode", "leg"), [("bm25", "words"), ("semantic", "meaning")])
@pytest.mark.parametrize("weight", [0.5, 1.0, 5.0])
def test_single_leg_modes_score_one_over_k_plus_rank(mode: str, leg: str, weight: float) -> None:
    """R2.3"""
    made = scene([note(name) for name in "abc"], words=hits(*"abc"), meaning=hits(*"cba"))
    answer = made.ask(BRAIN, mode=mode, weights={leg: weight})
    assert [one.score for one in answer.results] == [1 / 61, 1 / 62, 1 / 63]
    assert set(answer.trace.leg_counts) == {leg}


def lists(words: str, meaning: str) -> tuple[Ranking, Ranking]:
    return Ranking("words", 1.0, hits(*words)), Ranking("meaning", 1.0, hits(*meaning))


@pytest.mark.parametrize(
    ("words", "meaning", "agreed", "skips"),
    [
        ("abc", "abc", 3, True),
        ("abc", "abd", 2, True),
        ("abc", "adc", 2, True),
        ("abc", "dbc", 2, True),
        ("abc", "acb", 1, False),
        ("abc", "bca", 0, False),
        ("abc", "xyz", 0, False),
        ("abcz", "abcq", 3, True),
        ("ab", "ab", None, False),
        ("abc", "ab", None, False),
        ("ab", "abc", None, False),
        ("", "", None, False),
    ],
)
def test_unanimity_counts_the_first_three_places(
    words: str, meaning: str, agreed: int | None, skips: bool
) -> None:
    """R2.6"""
    one, other = lists(words, meaning)
    assert agreements(one, other) == agreed
    assert is_unanimous(agreed) is skips


def test_without_one_of_the_legs_there_is_no_unanimity() -> None:
    """R2.6"""
    one, other = lists("abc", "abc")
    assert agreements(one, None) is None
    assert agreements(None, other) is None


@pytest.mark.parametrize(
    ("meaning", "agreed", "reason"), [("abd", 2, "unanimity"), ("bca", 0, None), ("ab", None, None)]
)
def test_agreement_skips_the_judge_and_the_trace_says_why(
    meaning: str, agreed: int | None, reason: str | None
) -> None:
    """R2.6"""
    judge = SaidJudge()
    made = scene(
        [note(name) for name in "abcd"], words=hits(*"abc"), meaning=hits(*meaning), judge=judge
    )
    trace = made.ask(BRAIN).trace
    assert (trace.unanimity, trace.rerank_skipped_reason) == (agreed, reason)
    assert trace.reranked is (reason is None)
    assert judge.calls == (0 if reason else 1)


def test_the_shortcut_can_be_switched_off() -> None:
    """R2.6"""
    judge = SaidJudge()
    made = scene(
        [note(name) for name in "abc"], words=hits(*"abc"), meaning=hits(*"abc"), judge=judge
    )
    always = replace(BRAIN, rerank=Rerank(skip_when_unanimous=False))
    assert made.ask(always).trace.reranked is True


def crowd(count: int) -> list[Note]:
    return [note(f"n{at:02}", title=f"title {at:02}") for at in range(count)]


def test_the_judge_rescores_the_head_and_the_tail_follows_unchanged() -> None:
    """R2.7"""
    notes = crowd(30)
    names = [one.id for one in notes]
    judge = SaidJudge(marks={f"title {at:02}": float(at) for at in range(30)})
    made = scene(notes, words=hits(*names), judge=judge)
    answer = made.ask(BRAIN, limit=30)
    assert len(judge.texts) == 20
    assert ids(answer) == [*reversed(names[:20]), *names[20:]]
    assert [one.judged is not None for one in answer.results] == [True] * 20 + [False] * 10
    first = answer.results[0]
    assert first.judged is not None
    assert (first.judged.score, first.judged.rank_before, first.rank) == (19.0, 20, 1)


def test_equal_verdicts_keep_the_order_and_scores_stay_the_fused_ones() -> None:
    """R2.7"""
    notes = crowd(5)
    names = [one.id for one in notes]
    made = scene(notes, words=hits(*names), judge=SaidJudge(marks={"title 03": 1.0}))
    answer = made.ask(BRAIN)
    assert ids(answer) == ["n03", "n00", "n01", "n02", "n04"]
    assert answer.results[0].score == 1 / 64
    assert reordered(["a", "b", "c"], {}) == ["a", "b", "c"]
    assert reordered(["a", "b", "c"], {"a": 1.0, "b": 1.0}) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("title", "summary", "text", "shown"),
    [
        ("T", "S", "content", "T\nS"),
        ("T", "", "content", "T"),
        ("", "S", "content", "S"),
        ("", "", "content", "content"),
        ("", "", "x" * 279, "x" * 279),
        ("", "", "x" * 280, "x" * 280),
        ("", "", "x" * 281, "x" * 280),
    ],
)
def test_what_the_judge_is_shown(title: str, summary: str, text: str, shown: str) -> None:
    """R2.7"""
    judge = SaidJudge()
    made = scene([note("a", text, title=title, summary=summary)], words=hits("a"), judge=judge)
    made.ask(BRAIN, "the query")
    assert judge.texts == [shown]
    assert judge.queries == ["the query"]
    assert judged_text(made.store.shelf.facts(["a"])["a"]) == shown


@pytest.mark.parametrize(
    ("reason", "recipe", "has_judge", "sort_by"),
    [
        ("no_reranker", BRAIN, False, "relevance"),
        ("disabled", replace(BRAIN, rerank=Rerank(enabled=False)), True, "relevance"),
        ("disabled", replace(BRAIN, rerank=None), True, "relevance"),
        ("sorted_by_fact", BRAIN, True, "recency"),
    ],
)
def test_the_trace_says_why_nothing_was_reranked(
    reason: str, recipe: object, has_judge: bool, sort_by: str
) -> None:
    """R2.11"""
    judge = SaidJudge()
    made = scene([note("a")], words=hits("a"), judge=judge if has_judge else None)
    trace = made.ask(recipe, sort_by=sort_by).trace  # type: ignore[arg-type]
    assert (trace.reranked, trace.rerank_skipped_reason) == (False, reason)
    assert judge.calls == 0


def test_both_legs_empty_is_said_as_empty_candidates() -> None:
    """R2.10"""
    judge = SaidJudge()
    answer = scene([note("a")], judge=judge).ask(BRAIN, "nothing like it")
    assert answer.results == ()
    assert answer.trace.rerank_skipped_reason == "empty_candidates"
    assert judge.calls == 0


def test_the_trace_tells_the_whole_way() -> None:
    """R2.11"""
    own = Home(memory_store(), Hashing()).learn(note("a", "red car"), note("b", "blue boat"))
    answer = own.ask("red OR boat", BRAIN)
    trace = answer.trace
    assert trace.recipe == "brain"
    assert trace.compiled == "(red OR boat)"
    assert (trace.mode_asked, trace.mode, trace.fell_back) == ("auto", "hybrid", False)
    assert trace.leg_counts == {"words": 2, "meaning": 2}
    assert set(trace.leg_ms) == {"words", "meaning"}
    assert set(trace.stage_ms) == {"gather", "facts", "fuse", "adjust", "rerank", "cut"}
    assert trace.attempts == ()
    assert trace.candidates == 2
    assert (trace.unanimity, trace.reranked) == (None, False)
    assert trace.rerank_skipped_reason == "no_reranker"
    assert trace.error_stage is None
    assert "RRF" in trace.fusion
    assert trace.tie_break == "path"


def test_the_answer_and_its_trace_are_one_plain_shape() -> None:
    """R2.11"""
    own = Home(memory_store()).learn(note("a", "red car"))
    shape = own.ask("red", BRAIN).as_dict()
    again = json.loads(json.dumps(shape))
    assert again["results"][0]["legs"]["words"] == {
        "rank": 1,
        "score": pytest.approx(0.0, abs=10),
        "weight": 1.0,
        "contribution": 1 / 61,
    }
    assert again["trace"]["leg_counts"] == {"words": 1}
    assert again["degraded"][0]["part"] == "meaning"


def test_a_field_a_phrase_and_an_operator_reach_the_store_as_a_tree() -> None:
    """R2.5"""
    own = Home(memory_store()).learn(
        note("a", "the red car", title="Garage"),
        note("b", "the red car", title="Attic"),
        note("c", "car red", title="Garage"),
    )
    assert ids(own.ask('title:garage AND "red car"', BRAIN)) == ["a"]
    assert sorted(ids(own.ask("title:garage OR title:attic", BRAIN))) == ["a", "b", "c"]
    assert ids(own.ask("car NOT title:garage", BRAIN)) == ["b"]


def test_the_ladder_is_walked_only_when_nothing_was_found() -> None:
    """R2.9"""
    made = scene([note("a")], words=hits("a"))
    assert made.ask(BRAIN).trace.attempts == ()
    made.words.says = ()
    assert Attempt("initial", "Word(text='query')", 0) in made.ask(BRAIN).trace.attempts
