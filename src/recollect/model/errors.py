"""Everything Recollect can refuse or fail at, as one small tree. Each face maps it once."""

from collections.abc import Iterable


class RecollectError(Exception):
    """The root: whatever Recollect raises on purpose."""


class BadInput(RecollectError, ValueError):
    """A value from outside that cannot be used; it names the field, the value and the way out."""

    SHOWN = 80

    def __init__(self, field: str, value: object, way_out: str) -> None:
        self.field = field
        self.value = value
        self.way_out = way_out
        super().__init__(f"{field}: {_short(value, self.SHOWN)} {way_out}")


class EmptyQuery(BadInput):
    """A query that names nothing to look for."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__("query", text, why)


class NotFound(RecollectError, LookupError):
    """A name or id that is not there, with the ones that are, where they fit on a line."""

    def __init__(self, kind: str, name: object, known: Iterable[str] = ()) -> None:
        self.kind = kind
        self.name = name
        listed = ", ".join(sorted(known))
        super().__init__(f"no {kind} {_short(name, 80)}" + (f"; known: {listed}" if listed else ""))


class LegFailed(RecollectError):
    """A leg the recipe cannot do without gave no answer, so nothing was answered or written."""

    def __init__(self, leg: str, why: str) -> None:
        self.leg = leg
        self.why = why
        super().__init__(f"leg '{leg}' is required by this recipe and failed: {why}")


class SearchFailed(RecollectError):
    """Every leg that was asked failed: an empty answer would be a lie."""

    def __init__(self, reasons: Iterable[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("no leg could answer: " + "; ".join(self.reasons))


class StoreError(RecollectError):
    """The store could not do what it was asked; what was committed before is still there."""


class VectorsAway(StoreError):
    """Vectors are kept elsewhere, and cannot be had from there now. Notes are as safe as ever: they are
    found by their words, and wait to be embedded."""


class EncoderError(RecollectError):
    """A model could not turn text into numbers."""


class NotReady(EncoderError):
    """A model is still loading; asked again in a moment, it will answer."""


def _short(value: object, width: int) -> str:
    shown = repr(value)
    return shown if len(shown) <= width else f"{shown[:width]}… ({len(shown)} characters)"
