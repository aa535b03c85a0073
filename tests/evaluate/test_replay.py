"""What is fused again from lists gathered once, and what a sweep and an ablation make of it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.evaluate.ablate import variants
from recollect.evaluate.collections import Collection, read_collection
from recollect.evaluate.indexing import indexed
from recollect.evaluate.replay import ask_legs, replayed
from recollect.evaluate.run import evaluate
from recollect.evaluate.sweep import KS, METHODS, Setting, first_half, sweep
from recollect.open import Library
from recollect.recipes.alternatives import PLAIN
from recollect.recipes.recipe import AnyFusion, Recipe
from recollect.recipes.shelf import VAULT
from recollect.retrieve.fuse import RRF, Convex, Distribution, Weighted
from tests.evaluate.small import write_collection

FUSIONS: list[AnyFusion] = [RRF(k=1), RRF(), Convex(0.3), Distribution(), Weighted()]


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return read_collection(write_collection(tmp_path_factory.mktemp("data") / "small"))


@pytest.fixture(scope="module")
def library(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with indexed(collection, "hashing", cache=tmp_path_factory.mktemp("cache")) as opened:
        yield opened


@pytest.mark.parametrize("fusion", FUSIONS, ids=repr)
@pytest.mark.parametrize("meaning", [0.0, 0.3, 1.0])
def test_a_replay_is_what_asking_gives(
    collection: Collection, library: Library, fusion: AnyFusion, meaning: float
) -> None:
    recipes: list[Recipe] = [replace(one, weak=None) for one in (PLAIN, VAULT)]
    for base in recipes:
        asked = ask_legs(collection, library, base)
        recipe = replace(base, fusion=fusion).with_weights({"meaning": meaning})
        run = replayed(asked, recipe, library.ports(), 100)
        assert run.answers == evaluate(collection, library, recipe).run.answers


def test_every_method_is_swept_and_reported_on_questions_it_was_not_chosen_on(
    collection: Collection, library: Library
) -> None:
    found = sweep(collection, library)
    assert [line.method for line in found.lines][: len(METHODS)] == list(METHODS)
    assert set(found.by_k) == set(map(float, KS))
    assert found.questions == (2, 2)
    assert all(line.against_usual.questions == 2 for line in found.lines)
    assert {one.questions for one in found.as_they_are.values()} == {4}


def test_the_half_that_chooses_is_the_same_in_any_order() -> None:
    names = [f"question {at}" for at in range(41)]
    assert first_half(names) == first_half(reversed(names))
    assert len(first_half(names)) == 20


def test_a_setting_reads_as_it_is_written_in_tables() -> None:
    assert str(Setting(RRF(k=5))) == "rrf k=5"
    assert str(Setting(Convex(0.25))) == "convex alpha=0.25"
    assert str(Setting(Distribution(), meaning=0.2)) == "distribution 1:0.2"
    assert str(Setting(RRF(), meaning=0)) == "words alone"


def test_an_ablation_holds_every_part_alone_and_all_together() -> None:  # R3.7
    assert [one.name for one in variants(VAULT, judged=True)] == [
        "legacy weighted",
        "fused, no boosts",
        "words alone",
        "meaning alone",
        "fused + backlinks",
        "fused + age",
        "all together",
        "all together + rerank",
    ]
    legacy = next(variants(VAULT))
    assert {leg.name: leg.weight for leg in legacy.legs} == {"words": 0.5, "meaning": 1.0}
    assert legacy.fusion == Weighted()


def test_outcomes_count_every_question_and_its_time(
    collection: Collection, library: Library
) -> None:
    outcome = evaluate(collection, library, VAULT)
    assert len(outcome.ms) == len(collection.questions) == 4
    latency = outcome.latency()
    assert latency is not None
    assert latency.p50 <= latency.p95 <= latency.most


def test_the_index_is_no_part_of_the_collection(collection: Collection, tmp_path: Path) -> None:
    with indexed(collection, None, cache=tmp_path) as words_only:
        outcome = evaluate(collection, words_only, VAULT)
    assert outcome.model == "none"
