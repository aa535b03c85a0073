"""Markdown as a reader sees it, on one line."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.retrieve.plain import plain


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("## If it goes wrong\n\nDo not downgrade.", "If it goes wrong · Do not downgrade."),
        ("# Closed #\ntext", "Closed · text"),
        ("## Signs\n- one\n- two", "Signs · one · two"),
        ("# About C#\ntext", "About C# · text"),
        ("**bold** and *soft* and _soft_ and ~~gone~~", "bold and soft and soft and gone"),
        ("**bold with *soft* inside**", "bold with soft inside"),
        ("[[Backups]] and [[Backups#etcd|the snapshot]]", "Backups and the snapshot"),
        ("[[Backups#etcd]]", "Backups › etcd"),
        (
            "[a page](https://example.org/x) ![a picture](x.png) ![[embed]]",
            "a page a picture embed",
        ),
        ("- one\n- [x] two\n- [ ] three\n1. four", "one · ☑ two · ☐ three · four"),
        ("| a | b |\n|:--|--:|\n| 1 | 2 |", "a · b · 1 · 2"),
        ("> quoted\n> on\n\n---\nafter", "quoted on after"),
        ("run `kubeadm *plan*` now", "run kubeadm *plan* now"),
        ("```sh\nif [[ -n $x ]]; then # **no**\n```\nafter", "if [[ -n $x ]]; then # **no** after"),
        (r"\*not soft\* and \[\[no link\]\]", "*not soft* and [[no link]]"),
        ("a\n\n\n  b\t c", "a b c"),
        ("", ""),
    ],
)
def test_marks_are_left_out_and_what_they_mark_stays(written: str, seen: str) -> None:
    assert plain(written) == seen


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 * 4 = 24",
        "snake_case_name and __init__",
        "def f(*args, **kwargs)",
        "*.py and *.js",
        "array[0](x",
        "<script>alert(1)</script>",
        "a < b > c",
        "price ~ 5, ~~",
        "我喜欢机器学习",
    ],
)
def test_what_only_looks_like_a_mark_is_kept(text: str) -> None:
    assert plain(text) == text


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab *_`~[]()|#>-!\\\n\t1.x", max_size=120))
def test_no_letter_is_ever_made_up_and_the_line_is_one(text: str) -> None:
    seen = plain(text)
    assert "\n" not in seen
    assert seen == " ".join(seen.split())
    for letter in "ab":
        assert seen.count(letter) <= text.count(letter)


@pytest.mark.parametrize(
    "hard",
    ["**a ", "[", "[[", "`", "*a ", "_a", "|-", "- ", "# a #", "> ", "\n", "\\", "~", "![a]("],
)
def test_a_long_text_is_read_in_one_go(hard: str) -> None:
    """Twice the text takes about twice the time, not four times."""

    def seconds(times: int) -> float:
        began = time.perf_counter()
        plain(hard * times + "x")
        return time.perf_counter() - began

    small = min(seconds(20_000) for _ in range(3))
    large = min(seconds(160_000) for _ in range(2))
    assert large < 32 * small + 0.2
