"""Laws of fusion, true of every method: what may change a score, and what may not."""

import copy
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.model.ranking import Hit, Ranking
from recollect.recipes.recipe import AnyFusion
from recollect.retrieve.fuse import RRF, Convex, Distribution, Fused, Weighted, fuse
from recollect.retrieve.rank import ranking, ranks
from tests.laws.strategies import LEGS, fusions, hit_lists, rankings

MANY = settings(max_examples=80, deadline=None)


def best_first(fused: Fused) -> list[str]:
    return sorted(fused.scores, key=lambda note_id: (-fused.scores[note_id], note_id))


@MANY
@given(fusion=fusions, lists=rankings, chance=st.randoms(use_true_random=False))
def test_lists_commute_to_the_last_bit(
    fusion: AnyFusion, lists: list[Ranking], chance: Random
) -> None:
    """R0.3"""
    shuffled = list(lists)
    chance.shuffle(shuffled)
    one, other = fuse(fusion, lists), fuse(fusion, shuffled)
    assert one.scores == other.scores
    assert one.most == other.most
    for note_id in one.scores:
        assert one.shares(note_id) == other.shares(note_id)


def test_a_plain_sum_would_not_commute_but_ours_does() -> None:
    """R0.3: weights chosen so that (a + b) + c and a + (b + c) differ in the last bit."""
    weights = (0.1, 0.2, 0.6)
    lists = [Ranking(f"leg{w}", w, (Hit("a", 1.0),)) for w in weights]
    parts = [w / 61 for w in weights]
    assert sum(parts) != sum(reversed(parts))
    assert fuse(RRF(), lists).scores == fuse(RRF(), lists[::-1]).scores


@MANY
@given(fusion=fusions, lists=rankings, weight=st.floats(0, 5), at=st.integers(0, 4))
def test_an_empty_leg_changes_nothing(
    fusion: AnyFusion, lists: list[Ranking], weight: float, at: int
) -> None:
    """R0.4"""
    with_empty = [*lists[:at], Ranking("empty", weight, ()), *lists[at:]]
    one, other = fuse(fusion, lists), fuse(fusion, with_empty)
    assert one == other


@MANY
@given(fusion=fusions, lists=rankings, extra=hit_lists)
def test_a_leg_of_weight_zero_brings_in_no_candidate_and_no_score(
    fusion: AnyFusion, lists: list[Ranking], extra: list[Hit]
) -> None:
    """R0.2"""
    assert fuse(fusion, [*lists, ranking("off", 0.0, extra)]) == fuse(fusion, lists)


@MANY
@given(found=hit_lists, weight=st.floats(0.01, 5), k=st.floats(-5, 200))
def test_a_single_list_keeps_exactly_its_order_under_rrf(
    found: list[Hit], weight: float, k: float
) -> None:
    """R0.4: with only the lexical leg answering, the answer is exactly the lexical order."""
    lexical = ranking("words", weight, found)
    scores = fuse(RRF(k=k), [lexical]).scores
    assert sorted(scores, key=lambda note_id: -scores[note_id]) == list(lexical.ids())


@MANY
@given(
    fusion=st.sampled_from([RRF(ranks="dense"), Convex(), Distribution(), Weighted()]),
    found=hit_lists,
    weight=st.floats(0.01, 5),
)
def test_a_single_list_is_never_turned_around_by_any_fusion(
    fusion: AnyFusion, found: list[Hit], weight: float
) -> None:
    """R0.4"""
    lexical = ranking("words", weight, found, 0.0)
    scores = fuse(fusion, [lexical]).scores
    in_order = [scores[note_id] for note_id in lexical.ids()]
    assert all(earlier >= later for earlier, later in pairwise(in_order))


@MANY
@given(fusion=fusions, lists=rankings)
def test_every_fused_score_is_the_sum_of_its_shares(
    fusion: AnyFusion, lists: list[Ranking]
) -> None:
    """R0.11"""
    fused = fuse(fusion, lists)
    for note_id, score in fused.scores.items():
        shares = fused.shares(note_id).values()
        assert sum((share.contribution for share in shares), 0.0) == pytest.approx(score, abs=1e-12)
        assert {one.leg for one in lists if note_id in one.ids() and one.weight > 0} == set(
            fused.shares(note_id)
        )


@MANY
@given(
    fusion=st.sampled_from([RRF(), RRF(ranks="dense"), Convex(), Distribution()]),
    lists=rankings,
    newcomer=st.floats(-1, 30),
    at=st.integers(0, 3),
)
def test_being_absent_from_a_list_is_never_worth_more_than_being_in_it(
    fusion: AnyFusion, lists: list[Ranking], newcomer: float, at: int
) -> None:
    """R0.1: for the same list, the share of whoever stands in it is at least nothing."""
    one = lists[at % len(lists)]
    joined = ranking(one.leg, one.weight, (*one.hits, Hit("newcomer", newcomer)), one.floor)
    others = [other for other in lists if other is not one]
    absent = fuse(fusion, [*others, one]).scores.get("newcomer", 0.0)
    present = fuse(fusion, [*others, joined]).scores.get("newcomer", 0.0)
    assert present >= absent


@MANY
@given(lists=rankings)
def test_absent_is_not_the_worst_rank(lists: list[Ranking]) -> None:
    """R0.1: a note gets nothing at all from a list that does not hold it."""
    fused = fuse(RRF(), lists)
    for note_id in fused.scores:
        expected = [
            one.weight / (60 + one.ids().index(note_id) + 1)
            for one in lists
            if note_id in one.ids() and one.weight > 0
        ]
        assert fused.scores[note_id] == pytest.approx(sum(expected), rel=1e-12)


@MANY
@given(lists=rankings, k=st.one_of(st.floats(-1e6, 0), st.just(0), st.just(-1)))
def test_a_k_of_nothing_or_less_means_sixty(lists: list[Ranking], k: float) -> None:
    """R0.1"""
    assert fuse(RRF(k=k), lists).scores == fuse(RRF(k=60), lists).scores
    assert RRF(k=k).safe_k == 60


@MANY
@given(found=hit_lists, again=st.lists(st.integers(0, 20), max_size=8))
def test_a_note_twice_in_one_list_counts_once_where_it_stood_best(
    found: list[Hit], again: list[int]
) -> None:
    """R2.1"""
    worse = [Hit(found[at % len(found)].note_id, found[at % len(found)].score - 1) for at in again]
    once = ranking("words", 1.0, found)
    twice = ranking("words", 1.0, [*worse, *found, *worse])
    assert len(set(twice.ids())) == len(twice.ids())
    assert {hit.note_id: hit.score for hit in once.hits} == {
        hit.note_id: hit.score for hit in twice.hits
    }
    assert sorted(fuse(RRF(), [once]).scores.values()) == sorted(
        fuse(RRF(), [twice]).scores.values()
    )


@MANY
@given(found=hit_lists, chance=st.randoms(use_true_random=False))
def test_a_ranking_is_in_the_order_of_its_scores_whatever_order_it_came_in(
    found: list[Hit], chance: Random
) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    made = ranking("words", 1.0, shuffled)
    scores = [hit.score for hit in made.hits]
    assert scores == sorted(scores, reverse=True)
    assert scores == [hit.score for hit in ranking("words", 1.0, found).hits]


@MANY
@given(scores=st.lists(st.integers(0, 5), max_size=20))
def test_positions_count_on_and_dense_ranks_leave_no_gap(scores: list[int]) -> None:
    """R0.5"""
    falling = sorted(map(float, scores), reverse=True)
    assert ranks(falling, "position") == list(range(1, len(falling) + 1))
    dense = ranks(falling, "dense")
    assert sorted(set(dense)) == list(range(1, len(set(falling)) + 1))
    for (one, rank), (other, next_rank) in pairwise(zip(falling, dense, strict=True)):
        assert next_rank - rank == (0 if one == other else 1)


def test_dense_is_not_competition() -> None:
    """R0.5: 1, 1, 2 and never 1, 1, 3."""
    assert ranks([9.0, 9.0, 5.0, 5.0, 5.0, 1.0], "dense") == [1, 1, 2, 2, 2, 3]
    assert ranks([9.0, 9.0, 5.0], "position") == [1, 2, 3]
    assert ranks([], "dense") == []
    fused = fuse(
        RRF(ranks="dense"), [Ranking("l", 1.0, (Hit("a", 2.0), Hit("b", 2.0), Hit("c", 1.0)))]
    )
    assert fused.scores == {"a": 1 / 61, "b": 1 / 61, "c": 1 / 62}
    assert [fused.shares(one)["l"].rank for one in "abc"] == [1, 1, 2]


@MANY
@given(fusion=fusions, lists=rankings)
def test_fusing_changes_none_of_its_inputs(fusion: AnyFusion, lists: list[Ranking]) -> None:
    """R0.10"""
    before = copy.deepcopy(lists)
    first = fuse(fusion, lists)
    assert lists == before
    assert fuse(fusion, lists) == first


@MANY
@given(fusion=st.sampled_from([RRF(), RRF(ranks="dense"), Convex()]), lists=rankings)
def test_no_fused_score_exceeds_what_it_is_measured_by(
    fusion: AnyFusion, lists: list[Ranking]
) -> None:
    fused = fuse(fusion, lists)
    assert all(score <= fused.most * (1 + 1e-12) for score in fused.scores.values())


@MANY
@given(lists=rankings, factor=st.sampled_from([0.25, 0.5, 2.0]))
def test_weights_are_relative(lists: list[Ranking], factor: float) -> None:
    """R0.2: they need not sum to 1; all of them doubled change no order."""
    scaled = [Ranking(one.leg, one.weight * factor, one.hits, one.floor) for one in lists]
    for fusion in (RRF(), Convex(), Distribution()):
        before, after = fuse(fusion, lists).scores, fuse(fusion, scaled).scores
        assert {one: score * factor for one, score in before.items()} == pytest.approx(after)


@pytest.mark.parametrize("fusion", [RRF(), Convex(), Distribution(), Weighted()])
@pytest.mark.parametrize("leg", LEGS)
def test_a_positive_weight_is_never_ignored_by_a_fusion(fusion: AnyFusion, leg: str) -> None:
    """R0.2: for every leg there is a pair of notes that its weight turns around."""
    other = next(one for one in LEGS if one != leg)

    def first(weight: float) -> str:
        lists = [
            Ranking(leg, weight, (Hit("a", 1.0), Hit("b", 0.5)), 0.0),
            Ranking(other, 1.0, (Hit("b", 1.0), Hit("a", 0.5)), 0.0),
        ]
        return best_first(fuse(fusion, lists))[0]

    assert (first(5.0), first(0.1)) == ("a", "b")
