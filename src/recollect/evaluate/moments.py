"""A date as collections write it in, a moment out. Pure.

Known: ISO, `2023/04/10 (Mon) 17:50`, `1:56 pm on 8 May, 2023`, `March-15-2024`, `CACM June, 1958`,
`2024年04月01日 周一 08:30`. A date without a day means its first.
"""

import re
from datetime import UTC, datetime
from typing import Final

UNDATED: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Every note without a date has this one, so that age tells nothing about it."""

_MONTHS: Final = ("jan feb mar apr may jun jul aug sep oct nov dec").split()
_NUMBERS: Final = re.compile(r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})")
_NAMED: Final = re.compile(
    rf"(?:(\d{{1,2}})\s+)?\b({'|'.join(_MONTHS)})[a-z]*\b[\s,-]*(?:(\d{{1,2}})[\s,-]+)?(\d{{4}})",
    re.IGNORECASE,
)
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})\s*(am|pm)?", re.IGNORECASE)


def moment_of(text: str) -> datetime | None:
    """None where there is no date in it, or none that exists."""
    day = _day_of(text)
    if day is None:
        return None
    try:
        return datetime(*day, *_time_of(text), tzinfo=UTC)
    except ValueError:
        return None


def _day_of(text: str) -> tuple[int, int, int] | None:
    if found := _NUMBERS.search(text):
        year, month, day = found.groups()
        return int(year), int(month), int(day)
    if found := _NAMED.search(text):
        before, name, after, year = found.groups()
        return int(year), _MONTHS.index(name[:3].lower()) + 1, int(before or after or 1)
    return None


def _time_of(text: str) -> tuple[int, int]:
    found = _TIME.search(text)
    if found is None:
        return 0, 0
    hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return hour, minute
