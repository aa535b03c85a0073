"""JSON as somebody wrote it in, the same with other values out: whatever stays, stays as it was written.

Pure. Entries are added after the last one and taken away with their comma, so that what was added and
taken away again leaves no trace.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True)
class Written:
    """A value and where it stands; an entry of an object begins with its name."""

    value: Any
    start: int
    end: int
    entries: "list[tuple[str | int, int, Written]]" = field(default_factory=list)
    """Each by its name or place, with where it begins."""


class Edit(NamedTuple):
    start: int
    end: int
    text: str


def rewrite(text: str, new: Any) -> str:
    """Text that means `new`. Raises ValueError where the text is no JSON."""
    indented = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    indent = indented.group(1) if indented else "  "
    edits = sorted(_edits(text, read(text), new, indent), reverse=True)
    for edit in edits:
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def read(text: str, at: int = 0) -> Written:
    at = _after_space(text, at)
    opening = text[at : at + 1]
    if opening not in ("{", "["):
        value, end = _DECODER.raw_decode(text, at)
        return Written(value, at, end)
    entries: list[tuple[str | int, int, Written]] = []
    here = _after_space(text, at + 1)
    while text[here] not in "}]":
        name: str | int = len(entries)
        begins = here
        if opening == "{":
            name, here = _DECODER.raw_decode(text, here)
            here = _after_space(text, here) + 1  # the colon
        inner = read(text, here)
        entries.append((name, begins, inner))
        here = _after_space(text, inner.end)
        if text[here] == ",":
            here = _after_space(text, here + 1)
    return Written(_DECODER.raw_decode(text, at)[0], at, here + 1, entries)


def _edits(text: str, old: Written, new: Any, indent: str) -> Iterator[Edit]:
    if old.value == new:
        return
    if isinstance(new, dict) and isinstance(old.value, dict):
        kept = {name: new[name] for name, _, _ in old.entries if name in new}
        added = [(name, new[name]) for name in new if name not in old.value]
        yield from _entries(text, old, kept, [_named(*one, indent) for one in added], indent)
    elif isinstance(new, list) and isinstance(old.value, list):
        kept, rest = _matched(old, new)
        yield from _entries(text, old, kept, [_dumped(one, indent) for one in rest], indent)
    else:
        yield Edit(old.start, old.end, _dumped(new, indent))


def _matched(old: Written, new: list[Any]) -> tuple[dict[Any, Any], list[Any]]:
    """Which places of the old list stay, and what comes after them."""
    kept: dict[Any, Any] = {}
    rest = list(new)
    for place, _, inner in old.entries:
        if rest and (inner.value == rest[0] or _is_changed(inner.value, rest[0])):
            kept[place] = rest.pop(0)
    return kept, rest


def _is_changed(one: Any, other: Any) -> bool:
    """Two groups of hooks that differ in their hooks alone, of which one still holds some."""
    if not isinstance(one, dict) or not isinstance(other, dict) or one.keys() != other.keys():
        return False
    theirs = other.get("hooks")
    left = [each for each in one.get("hooks") or () if each in (theirs or ())]
    rest = all(one[name] == other[name] for name in one if name != "hooks")
    return rest and bool(theirs) and left == theirs


def _entries(
    text: str, old: Written, kept: dict[Any, Any], added: list[str], indent: str
) -> Iterator[Edit]:
    staying = [entry for entry in old.entries if entry[0] in kept]
    for name, _, inner in staying:
        yield from _edits(text, inner, kept[name], indent)
    if not staying:
        yield Edit(old.start + 1, old.end - 1, _inside(text, old, added, indent))
        return
    first, last = staying[0], staying[-1]
    if first is not old.entries[0]:
        yield Edit(old.entries[0][1], first[1], "")
    end = staying[0][2].end
    for place, (name, begins, inner) in enumerate(old.entries):
        if name in kept:
            end = inner.end
        elif begins > first[1]:
            yield Edit(old.entries[place - 1][2].end, inner.end, "")
    if added:
        gap = text[_line_break(text, last[1]) : last[1]]
        inner_indent = gap.lstrip("\r\n") if "\n" in gap else ""
        own = (one.replace("\n", f"\n{inner_indent}") for one in added)
        yield Edit(end, end, "".join(f",{gap or ' '}{one}" for one in own))


def _inside(text: str, old: Written, added: list[str], indent: str) -> str:
    """All entries of what had none to stay."""
    if not added:
        return ""
    outer = text[text.rfind("\n", 0, old.start) + 1 :]
    outer = outer[: len(outer) - len(outer.lstrip(" \t"))]
    gap = f"\n{outer}{indent}"
    lines = (one.replace("\n", gap) for one in added)
    return "".join((gap, f",{gap}".join(lines), f"\n{outer}"))


def _line_break(text: str, at: int) -> int:
    """Where the space before this place begins."""
    while at and text[at - 1] in " \t\r\n":
        at -= 1
    return at


def _named(name: str, value: Any, indent: str) -> str:
    return f"{json.dumps(name, ensure_ascii=False)}: {_dumped(value, indent)}"


def _dumped(value: Any, indent: str) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False)


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
