"""A moment as people write it in, a moment out: a date, a date and time, or how long ago."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from recollect.model.errors import BadInput

DAYS_OF: Final = {"d": 1, "w": 7, "m": 30, "y": 365}
_AGE: Final = re.compile(r"([0-9]{1,6})([dwmy])")


def moment_of(field: str, text: str | None, now: datetime) -> datetime | None:
    """A date or date and time, or how long ago: 3d, 2w, 6m, 1y."""
    if text is None:
        return None
    try:
        if age := _AGE.fullmatch(text):
            return now - timedelta(days=int(age[1]) * DAYS_OF[age[2]])
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise BadInput(field, text, "is no date such as 2026-01-31 and no age such as 3d") from None
