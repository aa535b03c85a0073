"""Two stores in, the one copied into the other: in batches, and from where an earlier run stopped.

How far it got is written down in the target after each batch. A batch that is copied twice is there
once, so that being stopped anywhere costs no more than a batch.
"""

import secrets
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from recollect.model.errors import BadInput
from recollect.model.records import KINDS, OWN, Key, Kind, Record, is_own
from recollect.ports import Store

OWNER: Final = f"{OWN}migration"
BATCH: Final = 500
_FROM: Final = "from"
_TOKEN: Final = "token"  # noqa: S105

Progress = Callable[[Kind, int], None]


class Journey:
    """From one store to another, as the target remembers it. `name` is what the source is called."""

    def __init__(self, source: Store, target: Store, name: str) -> None:
        self._source = source
        self._target = target
        self._name = name

    def begun(self) -> bool:
        return self._target.settings.settings(OWNER).get(_FROM) == self._name

    def begin(self) -> None:
        """Refuses to copy a store into itself, by whatever two names it goes."""
        token = secrets.token_hex(16)
        self._target.settings.change_settings(OWNER, {_TOKEN: token})
        met = self._source.settings.settings(OWNER).get(_TOKEN)
        self._target.settings.change_settings(OWNER, {_TOKEN: None})
        if met == token:
            raise BadInput("to", self._name, "is the same store under another name")
        if not self.begun():
            fresh = dict.fromkeys(KINDS) | {_FROM: self._name}
            self._target.settings.change_settings(OWNER, fresh)

    def is_complete(self) -> bool:
        return self.begun() and all(self._reached(kind) == "end" for kind in KINDS)

    def copy(self, progress: Progress, batch: int = BATCH) -> None:
        for kind in KINDS:
            reached = self._reached(kind)
            while reached != "end":
                after: Key | None = tuple(reached) if reached else None
                page = self._source.archive.records_after(kind, after, batch)
                self._target.archive.take([one for one in page.records if not is_own(one)])
                reached = list(page.reached) if page.reached else "end"
                self._target.settings.change_settings(OWNER, {kind: reached})
                progress(kind, len(page.records))

    def bring(self, records: Iterable[Record], batch: int = BATCH) -> int:
        """Some more of the source's records; how many there were."""
        incoming, brought = iter(records), 0
        while some := list(islice(incoming, batch)):
            self._target.archive.take(some)
            brought += len(some)
        return brought

    def _reached(self, kind: Kind) -> list[str] | str | None:
        """How far a kind has been copied: a key, "end", or None where it has not begun."""
        reached: list[str] | str | None = self._target.settings.settings(OWNER).get(kind)
        return reached
