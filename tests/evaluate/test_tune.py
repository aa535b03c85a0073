"""What is learned from labels, and when it is kept."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.evaluate.collections import Collection, read_collection
from recollect.evaluate.indexing import indexed
from recollect.evaluate.tune import candidates, labels_needed, tune
from recollect.faces.cli import main
from recollect.model.errors import BadInput
from recollect.open import Library
from recollect.recipes.shelf import CHAT, MEMORY, RECOLLECT, VAULT
from recollect.recipes.toml import read_recipe, write_recipe
from tests.evaluate.small import write_collection

NOUNS = "fox hen owl bee oak elm ant bat cod cow dog eel elk emu gnu hog jay kid".split()


def misleading(folder: Path) -> Path:
    """Every note is linked to at random, and being linked to says nothing: backlinks only harm."""
    chance = random.Random(3)
    corpus: list[dict[str, object]] = []
    queries: list[dict[str, object]] = []
    qrels: list[tuple[str, str, int]] = []
    for at in range(60):
        words = chance.sample(NOUNS, 4)
        corpus.append({"_id": f"d{at:02}", "text": " ".join(words)})
        queries.append({"_id": f"q{at:02}", "text": " ".join(words[:3])})
        qrels.append((f"q{at:02}", f"d{at:02}", 1))
    write_collection(folder, corpus, queries, qrels)
    linked = [(f"d{chance.randrange(60):02}", f"d{chance.randrange(12):02}") for _ in range(400)]
    (folder / "links.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in linked if a != b))
    return folder


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return read_collection(misleading(tmp_path_factory.mktemp("data") / "linked"))


@pytest.fixture(scope="module")
def library(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with indexed(collection, "hashing", cache=tmp_path_factory.mktemp("cache")) as opened:
        yield opened


def test_a_boost_that_harms_is_weakened_and_the_recipe_kept(
    collection: Collection, library: Library
) -> None:
    found = tune(collection, library, VAULT, "mine")
    assert any(step.startswith("backlinks") for step in found.steps)
    assert found.held_out.is_better
    assert found.is_kept
    assert read_recipe(write_recipe(found.recipe)) == found.recipe
    assert found.recipe.name == "mine"


def test_tuning_what_is_tuned_already_keeps_nothing_new(
    collection: Collection, library: Library
) -> None:
    once = tune(collection, library, VAULT, "once").recipe
    again = tune(collection, library, once, "again")
    assert not again.is_kept
    assert again.reasons


def test_a_drop_in_one_stratum_is_a_reason_against(
    collection: Collection, library: Library
) -> None:
    found = tune(collection, library, VAULT, "mine")
    assert set(found.strata) == {"all"}
    assert found.reasons == ()


def test_what_follows_use_is_never_tuned() -> None:
    knobs = [knob for recipe in (RECOLLECT, MEMORY, VAULT) for knob, _ in candidates(recipe)]
    assert not {"access", "usefulness", "created", "pool"} & set(knobs)
    for _, tried in candidates(RECOLLECT):
        for recipe in tried(RECOLLECT):
            weights = {leg.name: leg.weight for leg in recipe.legs}
            assert (weights["access"], weights["created"]) == (0.4, 0.6)
            assert recipe.pool == RECOLLECT.pool


def test_a_leg_that_is_off_stays_off() -> None:
    assert [knob for knob, _ in candidates(CHAT)] == []


def test_more_labels_are_needed_for_a_smaller_gain() -> None:
    chance = random.Random(1)
    before = {f"q{at}": 0.5 for at in range(50)}
    noise = {key: chance.gauss(0, 0.1) for key in before}
    middle = sum(noise.values()) / 50

    def after(gain: float) -> dict[str, float]:
        return {key: 0.5 + noise[key] - middle + gain for key in before}

    few, many = labels_needed(before, after(0.05)), labels_needed(before, after(0.01))
    assert few is not None
    assert many is not None
    assert many > 20 * few
    assert labels_needed(before, after(-0.01)) is None


def test_too_few_labels_are_refused(tmp_path: Path) -> None:
    small = read_collection(write_collection(tmp_path / "small"))
    with indexed(small, "hashing", cache=tmp_path) as opened, pytest.raises(BadInput, match="few"):
        tune(small, opened, VAULT, "mine")


def test_the_command_writes_a_recipe_that_search_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECOLLECT_CACHE", str(tmp_path / "cache"))
    folder, file = misleading(tmp_path / "linked"), tmp_path / "mine.toml"
    assert main(["tune", str(folder), "--model", "hashing", "--write", str(file)]) == 0
    assert f"wrote {file}" in capsys.readouterr().out
    assert read_recipe(file.read_text()).name == "mine"
