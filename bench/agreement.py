"""Measures, fusion and significance beside ranx, on random runs: prints the greatest difference.

    pip install ranx    (in any environment that has recollect[eval]; it brings numba)
    python -m bench.agreement

ranx compiles at its first call, which takes a minute or more; that is why the test suite compares
with trec_eval, scipy and the formulas instead, and this is a command of its own. Exits 1 if
anything but chance differs by more than 1e-9.
"""

import random
import sys
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import ranx

from recollect.evaluate.compare import compared
from recollect.evaluate.measures import measure_named, measured
from recollect.evaluate.runs import Found, Run
from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.fuse import RRF, Convex, Fusion, fuse

EXACT: Final = 1e-9
CHANCE: Final = 0.02
"""The p-values of two randomisation tests differ by which swaps were drawn."""

SPELLED: Final = {
    "ndcg@10": "nDCG@10", "mrr": "RR", "map": "AP", "precision@3": "P@3", "recall@5": "R@5",
    "recall@10": "R@10", "recall@100": "R@100", "hit_rate@1": "Success@1",
    "hit_rate@5": "Success@5", "hit_rate@10": "Success@10",
}  # fmt: skip
Scores = Mapping[str, Mapping[str, float]]


class Line(NamedTuple):
    what: str
    difference: float
    allowed: float


def random_scores(chance: random.Random, questions: list[str]) -> Scores:
    names = [f"d{at}" for at in range(300)]
    return {one: {name: chance.random() for name in chance.sample(names, 120)} for one in questions}


def run_of(scores: Scores) -> Run:
    def ranked(own: Mapping[str, float]) -> tuple[Found, ...]:
        return tuple(Found(one, own[one]) for one in sorted(own, key=lambda one: -own[one]))

    return Run("run", {question: ranked(own) for question, own in scores.items()})


def apart(ours: Scores, theirs: Scores) -> float:
    return max(
        abs(ours[question][note] - score)
        for question, own in theirs.items()
        for note, score in own.items()
    )


def fused(fusion: Fusion, words: Scores, meaning: Scores) -> Scores:
    """The least score of each list is its floor, as ranx has it."""

    def ranking(leg: str, own: Mapping[str, float]) -> Ranking:
        hits = (Hit(one, own[one]) for one in sorted(own, key=lambda one: -own[one]))
        return Ranking(leg, 1.0, tuple(hits), None)

    return {
        question: fuse(
            fusion, [ranking("words", words[question]), ranking("meaning", meaning[question])]
        ).scores
        for question in words
    }


def lines(seed: int) -> Iterator[Line]:
    chance = random.Random(seed)
    questions = [f"q{at:03}" for at in range(60)]
    names = [f"d{at}" for at in range(300)]
    judged = {
        one: {name: chance.choice([0, 1, 2, 3]) for name in chance.sample(names, 30)}
        | {chance.choice(names): 1}
        for one in questions
    }
    first, second = random_scores(chance, questions), random_scores(chance, questions)
    qrels, one, two = ranx.Qrels(judged), ranx.Run(dict(first)), ranx.Run(dict(second))
    ours = measured(run_of(first), judged)
    for their_name, our_name in SPELLED.items():
        theirs = ranx.evaluate(qrels, one, their_name, return_mean=False)
        own = ours[measure_named(our_name)]
        worst = max(abs(own[key] - value) for key, value in zip(questions, theirs, strict=True))
        yield Line(our_name, float(worst), EXACT)
    for k in (1, 10, 60, 100):
        theirs = ranx.fuse([one, two], norm=None, method="rrf", params={"k": k}).to_dict()
        yield Line(f"rrf k={k}", apart(fused(RRF(k=k), first, second), theirs), EXACT)
    for alpha in (0.2, 0.5, 0.8):
        weights = {"weights": (1 - alpha, alpha)}
        theirs = ranx.fuse([one, two], norm="min-max", method="wsum", params=weights).to_dict()
        yield Line(
            f"convex alpha={alpha}", apart(fused(Convex(alpha), first, second), theirs), EXACT
        )
    found = compared(
        ours[measure_named("nDCG@10")], measured(run_of(second), judged)[measure_named("nDCG@10")]
    )
    one.name, two.name = "one", "two"
    report = ranx.compare(
        qrels, [one, two], ["ndcg@10"], stat_test="fisher", n_permutations=10_000
    ).to_dict()
    theirs = report["one"]["comparisons"]["two"]["ndcg@10"]
    yield Line("randomisation p", abs(found.p - theirs), CHANCE)


def main() -> int:
    worst: dict[str, Line] = {}
    for seed in range(5):
        for line in lines(seed):
            known = worst.get(line.what)
            worst[line.what] = (
                line if known is None or line.difference > known.difference else known
            )
    print(
        f"ranx {ranx.__version__ if hasattr(ranx, '__version__') else ''}, 5 × 60 random questions"
    )
    for line in worst.values():
        verdict = "" if line.difference <= line.allowed else "  TOO FAR"
        print(f"{line.what:18} differs by at most {line.difference:.1e}{verdict}")
    return int(any(line.difference > line.allowed for line in worst.values()))


if __name__ == "__main__":
    sys.exit(main())
