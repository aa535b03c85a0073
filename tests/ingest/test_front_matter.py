"""What the lines between `---` say, and that nothing in them is ever fatal."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.ingest.dates import moment_of
from recollect.ingest.front_matter import FrontMatter, front_matter_of
from recollect.ingest.page import Mention


def front(block: str) -> FrontMatter:
    return front_matter_of(f"---\n{block}\n---\nbody\n")


def test_the_usual_fields_are_read() -> None:
    read = front(
        "title: A plan\naliases: [Plan, The plan]\ntags:\n  - Work\n  - '#home'\nimportance: high"
    )
    assert read.title == "A plan"
    assert read.aliases == ("Plan", "The plan")
    assert read.tags == ("work", "home")
    assert read.importance == 0.75


def test_a_list_may_be_written_on_one_line() -> None:
    assert front("alias: One, Two words\ntags: a b, c").aliases == ("One", "Two words")
    assert front("tags: a b, c").tags == ("a", "b", "c")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2024-03-05", datetime(2024, 3, 5, tzinfo=UTC)),
        ("2024-03-05T10:20:30", datetime(2024, 3, 5, 10, 20, 30, tzinfo=UTC)),
        ("2024-03-05 10:20", datetime(2024, 3, 5, 10, 20, tzinfo=UTC)),
        ("2024-03-05T10:20:30+02:00", datetime(2024, 3, 5, 8, 20, 30, tzinfo=UTC)),
        ("2024-03-05T10:20:30Z", datetime(2024, 3, 5, 10, 20, 30, tzinfo=UTC)),
        ("2024/03/05", datetime(2024, 3, 5, tzinfo=UTC)),
        ("05.03.2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("March 5, 2024", datetime(2024, 3, 5, tzinfo=UTC)),
        ("[[2024-03-05]]", datetime(2024, 3, 5, tzinfo=UTC)),
        ("1595169512265", datetime(2020, 7, 19, 14, 38, 32, 265000, tzinfo=UTC)),
        ("1595169512", datetime(2020, 7, 19, 14, 38, 32, tzinfo=UTC)),
        ("05/03/2024", None),
        ("yesterday", None),
        ("9999999999999999", None),
    ],
)
def test_a_date_may_be_spelled_in_many_ways(written: str, meant: datetime | None) -> None:
    assert moment_of(written) == meant


@given(st.text())
def test_no_text_breaks_the_reading_of_dates(text: str) -> None:
    moment = moment_of(text)
    assert moment is None or moment.tzinfo is UTC


@pytest.mark.parametrize("key", ["created", "date", "Created", "date created"])
def test_the_first_date_goes_by_many_names(key: str) -> None:
    assert front(f"{key}: 2024-03-05").created_at == datetime(2024, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize("key", ["modified", "updated", "lastmod", "Updated"])
def test_the_last_date_goes_by_many_names(key: str) -> None:
    assert front(f"{key}: 2024-03-05").modified_at == datetime(2024, 3, 5, tzinfo=UTC)


def test_a_bad_date_spoils_itself_and_not_its_neighbours() -> None:
    read = front("title: Kept\ncreated: 2024-13-45")
    assert read.title == "Kept"
    assert read.created_at is None
    assert read.warnings == (
        "front matter: created: '2024-13-45' is no date; write it as 2024-12-31",
    )


def test_a_bad_importance_is_a_warning_with_the_way_out() -> None:
    read = front("importance: enormous")
    assert read.importance is None
    assert "neither a number from 0 to 1 nor low, medium or high" in read.warnings[0]


def test_yaml_that_cannot_be_read_is_salvaged_line_by_line() -> None:
    read = front("title: Kept: really\ncreated: 2024-03-05\nbroken: [")
    assert read.title == "Kept: really"
    assert read.created_at == datetime(2024, 3, 5, tzinfo=UTC)
    assert "read line by line instead" in read.warnings[0]


def test_a_rule_across_the_page_is_not_front_matter() -> None:
    read = front_matter_of("---\nJust text under a rule\n---\nmore\n")
    assert read.length == 0


def test_a_page_without_front_matter_has_none() -> None:
    assert front_matter_of("# Title\n---\na: b\n---\n") == FrontMatter()


def test_a_link_in_a_field_is_of_that_fields_kind() -> None:
    read = front('supersedes: "[[Old plan|old]]"\nrelated:\n  - "[[A]]"\n  - [[B]]\nup: [[C]]')
    assert read.mentions == (
        Mention("Old plan", "old", "supersedes"),
        Mention("A", "", "related"),
        Mention("B", "", "related"),
        Mention("C", "", "up"),
    )


@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!|>'\"#\n \t,?%@`"), max_size=80))
def test_no_block_is_ever_fatal(block: str) -> None:
    text = f"---\n{block}\n---\nbody\n"
    read = front_matter_of(text)
    assert text[read.length :].endswith("body\n")


def test_front_matter_nested_beyond_reason_is_only_a_warning() -> None:
    assert front("a: " + "[" * 5000).warnings
