"""Measures, bootstrap, randomisation and fusion against other people's code, on random runs.

ranx agrees too, but needs a minute to compile: `python -m bench.agreement` compares with it.
"""

import random

import numpy as np
import pytest
import pytrec_eval
from scipy import stats

from recollect.evaluate.compare import SEED, bootstrap, randomisation
from recollect.evaluate.measures import measure_named, measured
from recollect.evaluate.runs import Found, Run
from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.fuse import RRF, Convex, Distribution, Weighted, fuse

EXACT = 1e-9
SPELLED = {
    "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "map": "AP", "P_3": "P@3", "recall_5": "R@5",
    "recall_10": "R@10", "recall_100": "R@100", "success_1": "Success@1", "success_5": "Success@5",
    "success_10": "Success@10",
}  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_measures_are_those_of_trec_eval(seed: int) -> None:
    chance = random.Random(seed)
    names = [f"d{at}" for at in range(300)]
    judged = {
        f"q{at}": {one: chance.choice([0, 0, 1, 2, 3]) for one in chance.sample(names, 40)}
        | {chance.choice(names): 1}
        for at in range(25)
    }
    scores = {key: {one: chance.random() for one in chance.sample(names, 150)} for key in judged}
    theirs = pytrec_eval.RelevanceEvaluator(judged, set(SPELLED)).evaluate(scores)
    ranked = {key: sorted(own, key=own.__getitem__, reverse=True) for key, own in scores.items()}
    answers = {
        key: tuple(Found(one, scores[key][one]) for one in own) for key, own in ranked.items()
    }
    ours = measured(Run("ours", answers), judged)
    for their_name, our_name in SPELLED.items():
        for question in judged:
            value = ours[measure_named(our_name)][question]
            assert value == pytest.approx(theirs[question][their_name], abs=EXACT), our_name


@pytest.mark.parametrize("seed", range(5))
def test_the_bootstrap_is_scipys_on_the_same_draws(seed: int) -> None:
    change = np.random.default_rng(seed).normal(0.02, 0.2, 80)
    theirs = stats.bootstrap(
        (change,),
        np.mean,
        n_resamples=3000,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    assert bootstrap(change, 3000) == pytest.approx((theirs.low, theirs.high), abs=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_the_randomisation_test_nears_scipys_exact_one(seed: int) -> None:
    change = np.random.default_rng(seed).normal(0.05, 0.1, 12)
    exact = stats.permutation_test(
        (change,), np.sum, permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert randomisation(change, 40_000) == pytest.approx(exact, abs=0.01)


def legs(seed: int) -> list[Ranking]:
    """Two lists on different scales; words have ties, as BM25 has."""
    chance = np.random.default_rng(seed)
    names = [f"n{at}" for at in range(120)]
    words = np.sort(np.round(chance.gamma(2, 3, 60), 1))[::-1]
    meaning = np.sort(chance.uniform(-0.2, 0.9, 70))[::-1]
    return [
        Ranking(leg, weight, tuple(map(Hit, own, map(float, scores))), floor)
        for leg, weight, scores, own, floor in (
            ("words", 1.0, words, chance.permutation(names)[:60], 0.0),
            ("meaning", 0.7, meaning, chance.permutation(names)[:70], -1.0),
        )
    ]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("k", [1, 10, 60, 100])
def test_rrf_is_its_formula(seed: int, k: int) -> None:
    lists = legs(seed)
    expected: dict[str, float] = {}
    for one in lists:
        for rank, hit in enumerate(one.hits, start=1):
            expected[hit.note_id] = expected.get(hit.note_id, 0.0) + one.weight / (k + rank)
    assert dict(fuse(RRF(k=k), lists).scores) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
def test_convex_combination_is_its_formula(seed: int, alpha: float) -> None:
    words, meaning = legs(seed)
    meaning = Ranking("meaning", 1.0, meaning.hits, meaning.floor)
    top_words = max(hit.score for hit in words.hits)
    top_meaning = max(hit.score for hit in meaning.hits)
    lexical = {hit.note_id: hit.score / top_words for hit in words.hits}
    dense = {hit.note_id: (hit.score + 1) / (top_meaning + 1) for hit in meaning.hits}
    expected = {
        one: alpha * dense.get(one, 0.0) + (1 - alpha) * lexical.get(one, 0.0)
        for one in {*lexical, *dense}
    }
    assert dict(fuse(Convex(alpha), [words, meaning]).scores) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("seed", range(10))
def test_distribution_based_fusion_is_its_formula(seed: int) -> None:
    expected: dict[str, float] = {}
    for one in legs(seed):
        scores = np.array([hit.score for hit in one.hits])
        low, high = scores.mean() - 3 * scores.std(), scores.mean() + 3 * scores.std()
        placed = np.clip((scores - low) / (high - low), 0, None) * one.weight
        for hit, share in zip(one.hits, placed, strict=True):
            expected[hit.note_id] = expected.get(hit.note_id, 0.0) + float(share)
    assert dict(fuse(Distribution(), legs(seed)).scores) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("seed", range(10))
def test_the_legacy_sum_is_its_formula(seed: int) -> None:
    expected: dict[str, float] = {}
    for one in legs(seed):
        for hit in one.hits:
            expected[hit.note_id] = expected.get(hit.note_id, 0.0) + one.weight * hit.score
    assert dict(fuse(Weighted(), legs(seed)).scores) == pytest.approx(expected, abs=EXACT)
