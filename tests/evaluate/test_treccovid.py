"""Measures and fusion against twelve submitted TREC runs, their official scores and golden fusions.

The data is no part of this project: these tests run where RECOLLECT_DATA names a folder that has it.
"""

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest

from recollect.evaluate.measures import mean, measure_named, measured
from recollect.evaluate.runs import Found, Run, read_run
from recollect.model.ranking import Hit
from recollect.retrieve.fuse import RRF, Convex, Fusion, fuse
from recollect.retrieve.rank import ranking

FOLDER = Path(os.environ.get("RECOLLECT_DATA", "")) / "runs_treccovid_r1"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="RECOLLECT_DATA names no folder with runs_treccovid_r1"
)
SPELLED = {"ndcg_cut_10": "nDCG@10", "map": "AP", "recall_100": "R@100", "P_5": "P@5"}


def judgments() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in (FOLDER / "qrels.txt").read_text().splitlines():
        question, _, note, gain = line.split()
        found.setdefault(question, {})[note] = int(gain)
    return found


def run_named(name: str) -> Run:
    return read_run(FOLDER / "runs" / f"{name}.gz")


def scores(run: Run, names: list[str]) -> list[float]:
    values = measured(run, judgments(), [measure_named(name) for name in names])
    return [mean(own.values()) for own in values.values()]


def test_official_scores_of_submitted_runs_come_out_to_four_decimals() -> None:
    with (FOLDER / "leaderboard.csv").open() as lines:
        board = {row["run"]: row for row in csv.DictReader(lines)}
    checked = 0
    for path in sorted((FOLDER / "runs").iterdir()):
        row = board.get(path.name.removesuffix(".gz"))
        if row is None:
            continue
        found = scores(read_run(path), ["nDCG@10", "P@5", "AP"])
        official = [float(row[name]) for name in ("ndcg@10", "p@5", "MAP")]
        assert found == pytest.approx(official, abs=6e-5), path.name
        checked += 1
    assert checked >= 10


def fused(names: list[str], fusion: Fusion, legs: list[str]) -> Run:
    """Ties inside a run by id, in the fused list as trec_eval breaks them; the golden numbers
    were made so. The least score seen is the floor."""
    runs = [run_named(name).cut(1000) for name in names]
    answers = {}
    for question in judgments():
        lists = [
            ranking(leg, 1.0, [Hit(*one) for one in sorted(run.answers.get(question, ()))])
            for leg, run in zip(legs, runs, strict=True)
        ]
        own = fuse(fusion, lists).scores
        order = sorted(sorted(own, reverse=True), key=lambda note: -np.float32(own[note]))
        answers[question] = tuple(Found(note, own[note]) for note in order[:1000])
    return Run("fused", answers)


@pytest.mark.parametrize("k", [1, 10, 60, 100])
def test_rrf_gives_the_golden_scores(k: int) -> None:
    for expected in json.loads((FOLDER / "golden_fusion.json").read_text()).values():
        run = fused(list(expected["runs"]), RRF(k=k), ["one", "two"])
        golden = [expected[f"rrf_k{k}"][name] for name in SPELLED]
        assert scores(run, list(SPELLED.values())) == pytest.approx(golden, abs=6e-5)


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.8])
def test_convex_combination_gives_the_golden_scores(alpha: float) -> None:
    for expected in json.loads((FOLDER / "golden_fusion.json").read_text()).values():
        run = fused(list(expected["runs"]), Convex(alpha), ["meaning", "words"])
        golden = [expected[f"minmax_convex_{alpha}"][name] for name in SPELLED]
        assert scores(run, list(SPELLED.values())) == pytest.approx(golden, abs=6e-5)
