"""A file found on the walk in, its text and digest out. Reads the disk; reports what it cannot read."""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from recollect.vault.remark import Remark
from recollect.vault.walk import Entry, Report

DIGEST_BYTES: Final = 16
LOOKED_AT: Final = 8192
"""A zero byte this early means that the file is no text (git looks at as many)."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Content:
    """`text` has bare newlines and no byte order mark, so that its lines are those of any editor."""

    text: str
    digest: str
    size: int


def content_of(entry: Entry, max_bytes: int, report: Report) -> Content | None:
    """None where there is nothing to index; the report then says why."""
    if entry.size > max_bytes:
        report(Remark(entry.path, "too large", f"{entry.size:,} bytes"))
        return None
    try:
        with Path(entry.place).open("rb") as file:
            raw = file.read(max_bytes + 1)
    except FileNotFoundError:
        report(Remark(entry.path, "vanished"))
        return None
    except OSError as problem:
        report(Remark(entry.path, "unreadable", problem.strerror or str(problem)))
        return None
    if len(raw) > max_bytes:
        report(Remark(entry.path, "too large", "it grew while it was read"))
        return None
    text = _decoded(raw, entry.path, report)
    if text is None:
        return None
    return Content(text, blake2b(raw, digest_size=DIGEST_BYTES).hexdigest(), len(raw))


def _decoded(raw: bytes, path: str, report: Report) -> str | None:
    encoding = "utf-16" if raw.startswith(_UTF_16) else "utf-8-sig"
    if encoding != "utf-16" and b"\0" in raw[:LOOKED_AT]:
        report(Remark(path, "binary"))
        return None
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as problem:
        report(Remark(path, "not utf-8", f"first at byte {problem.start:,}"))
        text = raw.decode(encoding, errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
