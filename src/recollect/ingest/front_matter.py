"""A page's text in; what its front matter says, and where the body starts, out. Pure.

YAML between `---` lines. Every value is read as text first, so that a bad date or an odd number
spoils itself and not its neighbours; YAML that cannot be read at all is salvaged line by line.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import yaml

from recollect.ingest.dates import moment_of
from recollect.ingest.page import Mention
from recollect.model.errors import BadInput
from recollect.model.note import importance_of

CREATED: Final = ("created", "created_at", "date created", "date_created", "creation_date", "date")
MODIFIED: Final = (
    "modified", "modified_at", "updated", "updated_at", "date modified", "date_modified",
    "last_modified", "lastmod", "last_updated",
)  # fmt: skip
ALIASES: Final = ("aliases", "alias")
TAGS: Final = ("tags", "tag", "keywords")
SUMMARY: Final = ("summary", "description", "desc", "abstract", "excerpt")

MOST_CHARACTERS: Final = 65_536
"""What opens with `---` and goes on for longer is text."""

_BLOCK = re.compile(r"---[ \t]*\n(.*?)(?:(?<=\n)|^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_PLAIN_LINE = re.compile(r"^(\w[\w -]*):(?:[ \t]+(.*))?$", re.MULTILINE)

_LOADER: type[Any] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`length` is how many characters of the page it takes up; 0 where there is none."""

    length: int = 0
    title: str = ""
    summary: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    created_at: datetime | None = None
    modified_at: datetime | None = None
    importance: float | None = None
    warnings: tuple[str, ...] = ()


def front_matter_of(text: str) -> FrontMatter:
    block = _BLOCK.match(text, 0, MOST_CHARACTERS)
    if block is None:
        return FrontMatter()
    warnings: list[str] = []
    fields = _fields(block[1], warnings)
    if not fields and block[1].strip():
        return FrontMatter(warnings=tuple(warnings))  # a rule across the page, and text below it
    return FrontMatter(
        length=block.end(),
        title=_text(fields, ("title",)),
        summary=_text(fields, SUMMARY),
        aliases=_list(fields, ALIASES, divider=r","),
        tags=tuple(tag.lstrip("#").lower() for tag in _list(fields, TAGS, divider=r"[,\s]")),
        mentions=tuple(_mentions(fields)),
        created_at=_moment(fields, CREATED, warnings),
        modified_at=_moment(fields, MODIFIED, warnings),
        importance=_importance(fields, warnings),
        warnings=tuple(warnings),
    )


def _fields(block: str, warnings: list[str]) -> Mapping[str, Any]:
    try:
        loaded = yaml.load(block, Loader=_LOADER)  # noqa: S506 - a base loader makes only text
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        warnings.append(f"front matter: {_first_line(problem)}; read line by line instead")
        return {
            key.strip().lower(): (value or "").strip("\"' ")
            for key, value in _PLAIN_LINE.findall(block)
        }
    if isinstance(loaded, dict):
        return {str(key).strip().lower(): value for key, value in loaded.items()}
    if loaded:
        warnings.append("front matter: holds no `key: value` lines; read as text")
    return {}


def _first_line(problem: Exception) -> str:
    mark = getattr(problem, "problem_mark", None)
    said = (
        getattr(problem, "problem", None) or str(problem).partition("\n")[0] or "too deeply nested"
    )
    return f"{said}, line {mark.line + 2}" if mark else said


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, Any]:
    return next(((name, fields[name]) for name in names if fields.get(name)), ("", ""))


def _text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    _, value = _first(fields, names)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _list(fields: Mapping[str, Any], names: tuple[str, ...], divider: str) -> tuple[str, ...]:
    """A list, or one line of text divided by commas; each value once, in the order written."""
    found: list[str] = []
    for name in names:
        value = fields.get(name)
        items = (
            value
            if isinstance(value, list)
            else re.split(divider, value)
            if isinstance(value, str)
            else []
        )
        found.extend(" ".join(item.split()) for item in items if isinstance(item, str))
    return tuple(dict.fromkeys(item for item in found if item))


def _moment(
    fields: Mapping[str, Any], names: tuple[str, ...], warnings: list[str]
) -> datetime | None:
    name, value = _first(fields, names)
    if not name:
        return None
    moment = moment_of(value) if isinstance(value, str) else None
    if moment is None:
        warnings.append(f"front matter: {name}: {_shown(value)} is no date; write it as 2024-12-31")
    return moment


def _importance(fields: Mapping[str, Any], warnings: list[str]) -> float | None:
    value = fields.get("importance")
    if not value:
        return None
    try:
        return importance_of(_number(value) if isinstance(value, str) else value)
    except BadInput as problem:
        warnings.append(f"front matter: {problem}")
        return None


def _number(written: str) -> float | str:
    try:
        return float(written)
    except ValueError:
        return written.strip().lower()


def _mentions(fields: Mapping[str, Any]) -> Iterator[Mention]:
    """A link in a field is of that field's kind: `supersedes: "[[Old plan]]"`."""
    for name, value in fields.items():
        for link in _WIKILINK.findall("\n".join(_texts(value))):
            target, _, label = link.partition("|")
            yield Mention(target.strip(), label.strip(), kind=name)


def _texts(value: object, *, depth: int = 0) -> Iterator[str]:
    """`[[Note]]` without quotes reaches us as a list within a list: YAML reads the brackets."""
    if isinstance(value, str):
        yield f"[[{value}]]" if depth >= 2 else value
    elif isinstance(value, list) and depth < 3:
        for item in value:
            yield from _texts(item, depth=depth + 1)


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
