"""`recollect eval` as a user types it."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from recollect.faces.cli import main
from recollect.faces.cli.commands import Exit
from tests.evaluate.small import write_collection


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RECOLLECT_DATA", str(tmp_path))
    monkeypatch.setenv("RECOLLECT_CACHE", str(tmp_path / "cache"))
    write_collection(tmp_path / "small")
    return "small"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["eval", *words]) == Exit.OK
    return capsys.readouterr().out


def outcome(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> Path:
    path.write_text(said(capsys, *words, "--model", "hashing", "--json"))
    return path


def test_a_table_shows_every_recipe_and_every_stratum(
    small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said(capsys, small, "--recipe", "vault", "--recipe", "brain", "--model", "hashing")
    assert "nDCG@10" in shown
    assert "brain − vault" in shown
    assert "animals" in shown


def test_the_page_needs_nothing_beside_it_and_is_well_formed(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    words = ["--recipe", "vault", "--recipe", "chat", "--model", "hashing", "--html", str(page)]
    said(capsys, small, *words)
    text = page.read_text()
    titles = ("by stratum", "question by question", "RRF over k", "over alpha", "Milliseconds")
    assert [title for title in titles if title not in text] == []
    assert text.count("<svg") >= 6
    opened: list[str] = []

    class Checked(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href"} & {name for name, _ in attrs}
            if tag not in ("meta", "rect", "line", "polyline"):
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if tag not in ("rect", "line", "polyline"):
                assert opened.pop() == tag

    Checked().feed(text)
    assert opened == []


def test_two_outcomes_are_compared_question_by_question(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = outcome(capsys, tmp_path / "a.json", small, "--mode", "bm25")
    two = outcome(capsys, tmp_path / "b.json", small)
    found = json.loads(said(capsys, "compare", str(one), str(two), "--json"))
    assert found["questions"] == 4
    assert found["won"] + found["lost"] + found["tied"] == 4
    assert "no difference shown" in said(capsys, "compare", str(one), str(one))


def test_trec_runs_are_compared_on_a_collections_judgments(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, mode in (("a.run", "bm25"), ("b.run", "auto")):
        file = str(tmp_path / name)
        said(capsys, small, "--mode", mode, "--model", "hashing", "--run-file", file)
    runs = [str(tmp_path / name) for name in ("a.run", "b.run")]
    assert "RR" in said(capsys, "compare", *runs, "--collection", small, "--measure", "RR")


def test_a_gate_lets_through_what_is_as_good_and_stops_what_is_worse(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = outcome(capsys, tmp_path / "baseline.json", small, "--recipe", "vault")
    gate = ["eval", "gate", "--baseline", str(baseline), "--model", "hashing"]
    assert main(gate) == Exit.OK
    better = json.loads(baseline.read_text())
    for own in better["per_question"].values():
        own["nDCG@10"] += 0.2
    baseline.write_text(json.dumps(better))
    assert main(gate) == Exit.FAILED


def test_an_ablation_and_a_sweep_are_one_command_each(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "legacy weighted" in said(capsys, "ablate", small, "--model", "hashing")
    page = tmp_path / "sweep.html"
    words = ["sweep", str(tmp_path), "--only", small, "--model", "hashing"]
    assert "convex alpha=" in said(capsys, *words, "--html", str(page))
    assert page.read_text().count("<polyline") == 2
    [found] = json.loads(said(capsys, *words, "--json"))
    assert found["collection"] == small


def test_a_sweep_over_several_collections_says_whether_fusing_beats_the_better_leg(
    small: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_collection(tmp_path / "other")
    shown = said(capsys, "sweep", str(tmp_path), "--model", "hashing")
    [head, first, second, gain, verdict] = shown.rstrip().splitlines()[-5:]
    assert head.split()[:4] == ["all", "questions", "better", "leg"]
    assert (first.split()[0], second.split()[0]) == ("other", small)
    assert gain.startswith("mean change")
    assert verdict.startswith("better/worse")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "RECOLLECT_DATA"),
        (["small", "--recipe", "brian"], "known: brain"),
        (["compare", "a.json", "b.json"], "cannot be read"),
        (["sweep", ".", "--only", "nothing"], "no collection 'nothing'"),
    ],
)
def test_what_cannot_be_measured_is_named(
    small: str, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *words, *(["--model", "hashing"] if "compare" not in words else [])]) == 2
    assert told in capsys.readouterr().err
