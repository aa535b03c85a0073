"""The stretch of a text that shows what was asked for, and where in it."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.retrieve.snippet import WIDTH, snippet


def shown(text: str, *words: str) -> list[str]:
    cutting = snippet(text, words)
    return [cutting.text[begin:end] for begin, end in cutting.highlights]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("a red car", ["red"], ["red"]),
        ("Upgrading clusters", ["upgrade", "cluster"], ["Upgrading", "clusters"]),
        ("CAFÉ Müller", ["cafe", "muller"], ["CAFÉ", "Müller"]),
        ("red_car", ["car"], ["car"]),
        ("我喜欢机器学习", ["机器", "学习"], ["机器学习"]),
        ("我喜欢机器和学习", ["机器", "学习"], ["机器", "学习"]),
        ("nothing here", ["red"], []),
        ("", ["red"], []),
    ],
)
def test_matches_are_marked_where_they_stand(
    text: str, words: list[str], expected: list[str]
) -> None:
    assert shown(text, *words) == expected


def test_a_longer_match_is_not_cut_short_by_a_shorter_one() -> None:
    assert shown("学习机器", "学", "学习") == ["学习"]
    assert shown("学习机器", "学习", "学") == ["学习"]


def test_the_marks_do_not_depend_on_how_strings_are_hashed() -> None:
    code = (
        "from recollect.retrieve.snippet import snippet;"
        "print(snippet('学习机器学习', ['学', '学习', '机器', '器']).highlights)"
    )
    said = {
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }
    assert len(said) == 1


def test_the_window_is_where_most_of_the_words_are() -> None:
    text = "red " + "filler " * 100 + "red car fast boat " + "filler " * 100 + "car"
    cutting = snippet(text, ["red", "car", "boat"])
    assert "red car fast boat" in cutting.text
    assert len(cutting.text) <= WIDTH
    assert text.find(cutting.text) > 0


def test_of_equal_windows_the_first_is_shown() -> None:
    text = "car " + "filler " * 100 + "car " + "filler " * 100
    assert snippet(text, ["car"]).text.startswith("car filler")


def test_a_text_without_a_match_shows_its_beginning() -> None:
    assert snippet("word " * 100, ["absent"]).text == ("word " * 100)[:WIDTH].rstrip()


def test_a_beginning_marks_every_word_that_begins_so() -> None:
    cutting = snippet("Kubernetes and the kubelet, not a cube", ["plan"], ["kube"])
    assert [cutting.text[a:b] for a, b in cutting.highlights] == ["Kubernetes", "kubelet"]


def test_function_words_are_marked_only_where_nothing_else_was_asked() -> None:
    assert shown("the plan of the house", "the", "plan") == ["plan"]
    assert shown("to be or not to be", "to", "be") == ["to", "be", "to", "be"]


def test_no_word_is_cut_at_the_end() -> None:
    cutting = snippet("extraordinary " * 40, ["absent"]).text
    assert set(cutting.split()) == {"extraordinary"}
    assert len(snippet("x" * 1000, ["absent"]).text) == WIDTH
    assert snippet("- extraordinary\n" * 40, ["absent"]).text.endswith("extraordinary")


def test_marks_stand_in_the_text_as_it_is_read() -> None:
    cutting = snippet("# Rye\n\n**Bread** of [[Rye flour|rye]]", ["bread"])
    assert cutting.text == "Rye · Bread of rye"
    assert [cutting.text[a:b] for a, b in cutting.highlights] == ["Bread"]


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(alphabet="ab 学习器_é\n", max_size=600),
    words=st.lists(st.sampled_from(["a", "ab", "学", "学习", "习器", "e"]), max_size=4),
)
def test_marks_lie_inside_the_text_in_order_and_apart(text: str, words: list[str]) -> None:
    cutting = snippet(text, words)
    assert len(cutting.text) <= WIDTH
    assert "\n" not in cutting.text
    last = 0
    for begin, end in cutting.highlights:
        assert last <= begin < end <= len(cutting.text)
        last = end
