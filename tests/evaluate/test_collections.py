"""What is read from a folder in BEIR layout."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect.evaluate.collections import collections_in, read_collection
from recollect.evaluate.indexing import indexed, store_of
from recollect.evaluate.moments import UNDATED, moment_of
from recollect.model.errors import BadInput
from tests.evaluate.small import write_collection


def test_a_zipped_corpus_reads_like_a_plain_one(tmp_path: Path) -> None:
    plain = read_collection(write_collection(tmp_path / "a" / "small"))
    zipped = read_collection(write_collection(tmp_path / "b" / "small", zipped=True))
    assert plain == zipped
    assert plain.fingerprint == zipped.fingerprint


def test_a_question_without_anything_relevant_is_kept_apart(tmp_path: Path) -> None:
    collection = read_collection(write_collection(tmp_path / "small"))
    assert [one.id for one in collection.questions] == ["q1", "q2", "q3", "q4"]
    assert [one.id for one in collection.unanswerable] == ["q5"]
    assert set(collection.judgments) == {"q1", "q2", "q3", "q4"}


def test_a_conversation_is_a_scope_and_a_category_a_stratum(tmp_path: Path) -> None:
    corpus: list[dict[str, object]] = [
        {"_id": "a1", "text": "hello there", "conv": "a"},
        {"_id": "b1", "text": "hello there", "conv": "b"},
    ]
    queries: list[dict[str, object]] = [
        {"_id": "q", "text": "hello", "conv": "b", "category": 2},
    ]
    folder = write_collection(tmp_path / "talk", corpus, queries, [("q", "b1", 1)])
    collection = read_collection(folder)
    assert collection.strata() == {"q": "2"}
    with indexed(collection, None, cache=tmp_path) as library:
        answer = library.ask("hello", scope=collection.questions[0].scope())
    assert [one.note_id for one in answer.results] == ["b1"]


def test_links_and_dates_stand_in_their_own_files(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "small")
    (folder / "links.tsv").write_text("fox\t5\then\nfox\t4\towl\nowl\thot\tfox\nbee\toak\n")
    (folder / "dates.tsv").write_text("fox\tCACM June, 1958\n")
    notes = {note.id: note for note in read_collection(folder).notes}
    assert [link.target for link in notes["fox"].links] == ["hen"]  # co-citation is no link
    assert [link.target for link in notes["bee"].links] == ["oak"]
    assert notes["fox"].created_at == datetime(1958, 6, 1, tzinfo=UTC)
    assert notes["hen"].created_at == UNDATED


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:05 am on 8 May, 2023", datetime(2023, 5, 8, 0, 5, tzinfo=UTC)),
        ("March-15-2024", datetime(2024, 3, 15, tzinfo=UTC)),
        ("2023/04/10 (Mon) 17:50", datetime(2023, 4, 10, 17, 50, tzinfo=UTC)),
        ("2024年04月01日 周一 08:30", datetime(2024, 4, 1, 8, 30, tzinfo=UTC)),
        ("CACM JUly, 1975", datetime(1975, 7, 1, tzinfo=UTC)),
        ("2024-02-31", None),
        ("some day", None),
    ],
)
def test_dates_are_read_as_collections_write_them(text: str, moment: datetime | None) -> None:
    assert moment_of(text) == moment


def test_a_collection_is_indexed_once_and_again_when_it_changes(tmp_path: Path) -> None:
    first = read_collection(write_collection(tmp_path / "a" / "small"))
    indexed(first, "hashing", cache=tmp_path).close()
    before = store_of(first, tmp_path).stat().st_mtime_ns
    steps: list[int] = []
    indexed(first, "hashing", cache=tmp_path, progress=steps.append).close()
    assert steps == []
    assert store_of(first, tmp_path).stat().st_mtime_ns == before
    other = write_collection(tmp_path / "b" / "small", [{"_id": "fox", "text": "another"}])
    assert store_of(read_collection(other), tmp_path) != store_of(first, tmp_path)


def test_what_is_no_collection_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"corpus\.jsonl.*RECOLLECT_DATA"):
        read_collection(tmp_path)


def test_a_collection_is_found_by_name_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_collection(tmp_path / "small")
    monkeypatch.setenv("RECOLLECT_DATA", str(tmp_path))
    assert read_collection("small").name == "small"
    assert [one.name for one in collections_in(tmp_path)] == ["small"]
