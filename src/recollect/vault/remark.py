"""What was left out or read with losses, file by file, and a summary a person reads. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

Code = Literal[
    "hidden",
    "excluded",
    "other kind",
    "link",
    "not a file",
    "same name",
    "bad name",
    "too large",
    "binary",
    "unreadable",
    "vanished",
    "not utf-8",
    "front matter",
]

EXPLANATIONS: Final[dict[Code, str]] = {
    "hidden": "hidden, its name starts with a dot",
    "excluded": "left out by the vault's config.toml",
    "other kind": "no markdown, text or HTML",
    "link": "a symbolic link, never followed",
    "not a file": "neither a file nor a folder",
    "same name": "another file's name differs only in how its accents are encoded",
    "bad name": "its name is no valid text",
    "too large": "larger than max_file_megabytes allows",
    "binary": "holds no text",
    "unreadable": "could not be read; what was known of it is kept",
    "vanished": "was gone before it could be read",
    "not utf-8": "indexed, with � for every byte that is no UTF-8",
    "front matter": "indexed, but part of its front matter could not be used",
}
"""In the order of the summary, and what each means to the owner of the vault."""

BY_DESIGN: Final[frozenset[Code]] = frozenset(("hidden", "excluded", "other kind"))
SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Remark:
    path: str
    code: Code
    detail: str = ""


def summary_of(remarks: Iterable[Remark], shown: int = SHOWN) -> tuple[str, ...]:
    """A line per kind of remark: how many, what it means, and the first few by name."""
    by_code: dict[Code, list[Remark]] = defaultdict(list)
    for remark in dict.fromkeys(remarks):  # a file read twice is remarked on twice
        by_code[remark.code].append(remark)
    return tuple(
        f"{len(by_code[code])} {code} ({meaning}): {_named(by_code[code], shown)}"
        for code, meaning in EXPLANATIONS.items()
        if code in by_code
    )


def _named(remarks: list[Remark], shown: int) -> str:
    named = [f"{one.path} – {one.detail}" if one.detail else one.path for one in remarks[:shown]]
    return "; ".join(named) + ("; …" if len(remarks) > shown else "")
