"""Processes that die, and processes that crowd. `bench.crash` and `bench.crowd` do the same at length."""

from pathlib import Path

from bench.crash import kills
from bench.crowd import crowd


def test_a_killed_writer_loses_nothing_it_was_told_is_written(tmp_path: Path) -> None:
    for after, reached, faults in kills(tmp_path / "store.db", times=5, seed=1):
        assert faults == [], f"killed after {after:.3f} s and {reached} notes"


def test_writers_and_readers_share_the_file(tmp_path: Path) -> None:
    outcome = crowd(tmp_path / "store.db", seconds=3)
    assert outcome.errors == ()
    assert outcome.lost == 0
    assert outcome.writes > 0
    assert outcome.reads > 0
