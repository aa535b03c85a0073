"""Dates as people and tools write them in; one moment with a time zone out. Pure."""

from datetime import UTC, datetime
from typing import Final

FORMATS: Final = (
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%A, %B %d, %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%Y-%m-%d %H:%M:%S %z",
    "%Y-%m-%d, %H:%M",
    "%Y-%m",
    "%Y",
)
"""Tried in order after ISO 8601. Countries differ on `01/02/2024`, so it is none."""

EPOCH_SECONDS: Final = range(9, 11)
EPOCH_MILLISECONDS: Final = range(12, 14)
"""How many digits a count since 1970 has (Dendron writes milliseconds)."""


def moment_of(written: str) -> datetime | None:
    """None where it is no date. Without a zone it is UTC: a file means the same anywhere."""
    text = written.strip().strip("[]\"'").strip()
    try:
        moment = _since_epoch(text) if text.isascii() and text.isdigit() else None
        moment = moment or _iso(text) or _spelled(text)
        if moment is None:
            return None
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        return None


def _since_epoch(digits: str) -> datetime | None:
    if len(digits) in EPOCH_SECONDS:
        return datetime.fromtimestamp(int(digits), UTC)
    if len(digits) in EPOCH_MILLISECONDS:
        return datetime.fromtimestamp(int(digits) / 1000, UTC)
    return None


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _spelled(text: str) -> datetime | None:
    for form in FORMATS:
        try:
            return datetime.strptime(text, form)  # noqa: DTZ007 - the caller adds the zone
        except ValueError:
            continue
    return None
