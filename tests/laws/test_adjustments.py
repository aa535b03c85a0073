"""Laws of adjustments: pure, named, and the same in the score as in the reasons."""

import copy
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.model.note import Facts, Usage
from recollect.recipes.shelf import SHELF
from recollect.retrieve.adjust import Adjustment, Circumstances, ExactMatch, adjust, steps
from recollect.retrieve.intent import Intent
from recollect.retrieve.order import adjusted_order
from tests.building import NOW, days_ago

MANY = settings(max_examples=100, deadline=None)
ALL: tuple[Adjustment, ...] = (
    *(one for recipe in SHELF.values() for one in recipe.adjustments),
    ExactMatch(enabled=True),
)

some_facts = st.builds(
    Facts,
    note_id=st.just("a"),
    path=st.sampled_from(["memory/global/user-preference-x.md", "user-fact-1.md", "x.md"]),
    title=st.just(""),
    summary=st.just(""),
    excerpt=st.just(""),
    created_at=st.just(NOW),
    modified_at=st.sampled_from([days_ago(n) for n in (0, 13, 14, 59, 60, 179, 180, 4000)]),
    importance=st.floats(0, 1),
    traits=st.frozensets(st.sampled_from(["preference", "generic", "rollup", "atomic", "dated"])),
    backlinks=st.integers(0, 50),
    superseded=st.booleans(),
    usage=st.just(Usage()),
)
circumstances = st.builds(
    Circumstances,
    now=st.just(NOW),
    k=st.floats(1, 100),
    lists_fused=st.integers(0, 4),
    by_relevance=st.booleans(),
    intent=st.builds(Intent, st.booleans(), st.booleans()),
    exact=st.sampled_from([frozenset(), frozenset({"a"})]),
)


@MANY
@given(facts=some_facts, at=circumstances, score=st.floats(0, 1))
def test_the_reasons_replay_to_the_adjusted_score_exactly(
    facts: Facts, at: Circumstances, score: float
) -> None:
    """R0.11"""
    replayed = score
    for step in steps(facts, ALL, at):
        assert step.why
        replayed = step.apply(replayed)
    assert adjust({"a": score}, {"a": facts}, ALL, at) == {"a": replayed}


@MANY
@given(facts=some_facts, at=circumstances, score=st.floats(0, 1))
def test_adjusting_changes_none_of_its_inputs(
    facts: Facts, at: Circumstances, score: float
) -> None:
    """R0.10"""
    scores, known = {"a": score}, {"a": facts}
    before = copy.deepcopy((scores, known, ALL, at))
    first = adjust(scores, known, ALL, at)
    assert (scores, known, ALL, at) == before
    assert adjust(scores, known, ALL, at) == first


@pytest.mark.parametrize("own", ALL, ids=lambda own: own.name)
@MANY
@given(facts=some_facts, at=circumstances)
def test_what_is_switched_off_changes_nothing_and_gives_no_reason(
    own: Adjustment, facts: Facts, at: Circumstances
) -> None:
    off = replace(own, enabled=False)  # type: ignore[type-var]
    assert adjust({"a": 0.5}, {"a": facts}, [off], at) == {"a": 0.5}
    assert steps(facts, [off], at) == ()


@MANY
@given(
    scores=st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.1, 0.2, 0.3])),
    before=st.permutations("abcdefgh"),
)
def test_equal_scores_keep_the_order_they_had(scores: dict[str, float], before: list[str]) -> None:
    """R2.8"""
    before = [one for one in before if one in scores]
    after = adjusted_order(before, scores)
    for score in set(scores.values()):
        assert [one for one in after if scores[one] == score] == [
            one for one in before if scores[one] == score
        ]
