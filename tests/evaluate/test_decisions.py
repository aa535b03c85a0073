"""What an evaluation decides is recorded, followed and told; and when nothing relevant is there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.evaluate.abstain import calibrate, curve, off_corpus, with_unanswerable
from recollect.evaluate.admit import admit
from recollect.evaluate.collections import read_collection
from recollect.evaluate.indexing import indexed
from recollect.faces.cli import main
from recollect.model.errors import BadInput, NotFound
from recollect.open import CALIBRATIONS, DECISIONS, open_library
from recollect.recipes.decisions import Decision, decided, decisions_for, with_part
from recollect.recipes.shelf import MEMORY, VAULT
from recollect.retrieve.abstain import Calibration, calibration_of
from recollect.retrieve.adjust import ExactMatch
from tests.building import note
from tests.evaluate.small import write_collection

ADMITTED = Decision(
    recipe="memory",
    part="exact_match",
    admitted=True,
    measure="nDCG@10",
    gain=0.03,
    low=0.01,
    high=0.05,
    bar=0.0,
    p95_ms=12.0,
    budget_ms=240.0,
    questions=300,
)


def exact_is_on(recipe: object) -> bool:
    own = [one for one in getattr(recipe, "adjustments", ()) if isinstance(one, ExactMatch)]
    return bool(own) and own[0].enabled


def test_what_was_admitted_is_on_and_what_was_refused_stays_as_it_was() -> None:  # R5.6
    assert not exact_is_on(MEMORY)
    assert exact_is_on(decided(MEMORY, [ADMITTED]))
    assert decided(MEMORY, [replace(ADMITTED, admitted=False)]) == MEMORY
    kept = {"memory/exact_match": ADMITTED.as_dict()}
    assert decisions_for(MEMORY, kept) == (ADMITTED,)
    assert decisions_for(VAULT, kept) == ()


def test_a_part_can_be_switched_off_again() -> None:
    for part in ("rerank", "exact_match"):
        on = with_part(MEMORY, part)
        assert with_part(on, part, enabled=False) == MEMORY
    judged = with_part(VAULT, "rerank").rerank
    assert judged is not None
    assert judged.enabled


def test_a_decision_is_followed_and_told_in_the_trace(tmp_path: Path) -> None:
    with open_library(tmp_path / "own.db", model=None) as library:
        library.learn([note("a", "the quick brown fox"), note("b", "quick is the brown fox")])
        before = library.ask("quick brown fox", recipe="memory")
        assert not any("measured" in remark for remark in before.trace.remarks)
        kept = {"memory/exact_match": ADMITTED.as_dict()}
        library.store.settings.change_settings(DECISIONS, kept)
        after = library.ask("quick brown fox", recipe="memory")
    assert ADMITTED.told() in after.trace.remarks
    assert "exact_match" in [step.name for step in after.results[0].adjustments]


def test_a_part_is_admitted_only_within_bar_and_budget(tmp_path: Path) -> None:  # R5.7
    collection = read_collection(write_collection(tmp_path / "small"))
    with indexed(collection, "hashing", cache=tmp_path) as library:
        found = admit(collection, library, MEMORY, "exact_match")
        assert not found.admitted  # four questions show nothing
        assert found.questions == 4
        slow = admit(collection, library, MEMORY, "exact_match", bar=-1.0, budget_ms=1e-6)
        assert not slow.admitted
        free = admit(collection, library, MEMORY, "exact_match", bar=-1.0, budget_ms=1e6)
        assert free.admitted
        with pytest.raises(BadInput, match="needs a judge"):
            admit(collection, library, MEMORY, "rerank")


def test_confidence_is_how_far_above_unrelated_questions_the_legs_are() -> None:
    own = Calibration({"words": (1.0, 2.0, 3.0, 4.0), "meaning": (0.1, 0.2)}, 0.6)
    assert own.confidence({"words": 2.5, "meaning": 0.15}) == pytest.approx(0.5)
    sure, surer = {"words": 9.0, "meaning": 0.9}, {"words": 10.0, "meaning": 0.9}
    assert 0.9 < own.confidence(sure) < own.confidence(surer) < 1.0
    assert own.confidence({"words": 9.0}) < 0.5
    assert own.finds_nothing({"words": 2.5, "meaning": 0.15})
    assert not own.finds_nothing(sure)
    assert calibration_of(own.as_dict()) == own


def test_where_unrelated_questions_all_find_alike_only_better_is_sure() -> None:
    own = Calibration({"words": (2.0, 2.0)}, 0.5)
    assert [own.confidence({"words": score}) for score in (1.0, 2.0, 3.0)] == [0.0, 0.5, 1.0]


def test_a_twentieth_of_unrelated_questions_is_let_through() -> None:
    best = [{"words": float(at)} for at in range(100)]
    own = calibrate(best)
    through = sum(not own.finds_nothing(one) for one in best)
    assert 3 <= through <= 6


def test_off_corpus_questions_are_many_and_differ() -> None:
    assert len(set(off_corpus())) == len(off_corpus()) >= 90


def test_answering_less_never_answers_more(tmp_path: Path) -> None:
    collection = read_collection(write_collection(tmp_path / "small"))
    with indexed(collection, "hashing", cache=tmp_path) as library:
        found = curve(collection, library, VAULT)
    for wider, narrower in zip(found.points, found.points[1:], strict=False):
        assert narrower.coverage <= wider.coverage
        assert narrower.near_misses <= wider.near_misses
        assert narrower.off_corpus <= wider.off_corpus
        assert wider.risk <= wider.risk_with_near_misses
    first = found.points[0]
    assert first.unanswerable is not None  # the collection has one such question
    assert set(found.told_apart) == {"near misses", "unanswerable", "off-corpus"}


def test_a_stratum_can_be_declared_unanswerable(tmp_path: Path) -> None:
    collection = read_collection(write_collection(tmp_path / "small"))
    trees = with_unanswerable(collection, frozenset({"trees"}))
    assert {one.stratum for one in trees.questions} == {"animals"}
    assert [one.id for one in trees.unanswerable] == ["q5", "q3", "q4"]
    with pytest.raises(NotFound, match="stratum"):
        with_unanswerable(collection, frozenset({"stones"}))


def test_surer_questions_are_told_apart_pair_by_pair(tmp_path: Path) -> None:
    """Nothing but a hidden answer sets a near miss apart, so they can be no more sure."""
    collection = read_collection(write_collection(tmp_path / "small"))
    with indexed(collection, "hashing", cache=tmp_path) as library:
        found = curve(collection, library, VAULT)
    assert found.told_apart["near misses"] >= 0.5


def test_an_answer_says_that_nothing_relevant_is_there_once_it_was_calibrated(
    tmp_path: Path,
) -> None:
    with open_library(tmp_path / "own.db", model=None) as library:
        library.learn([note("a", "the quick brown fox lives in a den")])
        assert library.ask("fox den").no_relevant_match is None
        kept = Calibration({"words": (0.0, 0.1, 0.2)}, 0.6).as_dict()
        library.store.settings.change_settings(CALIBRATIONS, {"none": kept})
        assert library.ask("fox den").no_relevant_match is False
        assert library.ask("whale song").no_relevant_match is True
        assert library.ask("whale song").as_dict()["no_relevant_match"] is True


def test_decisions_and_calibrations_are_made_from_ones_own_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECOLLECT_CACHE", str(tmp_path / "cache"))
    vault = tmp_path / "vault"
    vault.mkdir()
    for at, word in enumerate("fox hen owl bee oak elm".split()):
        text = f"# The {word} story\n\nAll about number {at} and its {word}.\n"
        (vault / f"{word}.md").write_text(text, encoding="utf-8")
    store = str(tmp_path / "own.db")
    with open_library(store, model="hashing") as library:
        library.index_folder(vault, "home")
        library.embed()
    own = ["--labels-from", "home", "--store", store, "--model", "hashing"]
    assert main(["eval", "admit", "exact_match", *own]) == 0
    assert main(["eval", "abstain", *own, "--record"]) == 0
    assert "(threshold)" in capsys.readouterr().out
    with open_library(store, model="hashing") as library:
        answer = library.ask("fox story", recipe="memory")
    assert any("exact_match was measured" in remark for remark in answer.trace.remarks)
    capsys.readouterr()
    searching = [
        "search",
        "fox story",
        "--recipe",
        "memory",
        "--store",
        store,
        "--model",
        "hashing",
    ]
    assert main([*searching, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["no_relevant_match"] is not None
    assert any("exact_match was measured" in remark for remark in shown["trace"]["remarks"])
    assert answer.no_relevant_match is not None
