"""Paths within a vault as plain text: folders divided by `/`, relative to the vault. Pure."""

import unicodedata
from typing import Final

MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mkd", ".mdx")


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def suffix_of(path: str) -> str:
    """`.md` of `a/b.md`, in lower case; a leading dot alone makes no suffix."""
    stem, dot, suffix = name_of(path).rpartition(".")
    return f".{suffix.lower()}" if dot and stem else ""


def without_markdown_suffix(path: str) -> str:
    """No other suffix is cut: in `topic.theme.publish` the dots belong to the name."""
    suffix = suffix_of(path)
    return path[: -len(suffix)] if suffix in MARKDOWN else path


def joined(folder: str, relative: str) -> str | None:
    """Where `relative` leads from `folder`; None where it leads out of the vault."""
    parts = folder.split("/") if folder else []
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def composed(text: str) -> str:
    """One spelling (NFC) for names that look the same: disks and keyboards differ in theirs."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def key_of(name: str) -> str:
    """Names are compared without regard to case, spelling of accents, or runs of blanks."""
    return composed(" ".join(composed(name).casefold().split()))
