"""Moments in, whole microseconds since 1970 out, and back: exact, and in the order of time. Pure."""

from datetime import UTC, datetime, timedelta
from typing import Final, overload

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_STEP: Final = timedelta(microseconds=1)


@overload
def stored(moment: datetime) -> int: ...
@overload
def stored(moment: datetime | None) -> int | None: ...
def stored(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // _STEP


@overload
def moment(stored: int) -> datetime: ...
@overload
def moment(stored: int | None) -> datetime | None: ...
def moment(stored: int | None) -> datetime | None:
    """The same instant, always told in UTC."""
    return None if stored is None else _EPOCH + stored * _STEP
