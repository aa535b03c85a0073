"""Notes whose points in Qdrant may not say what the store says, until they are brought up to date.

Before a note is changed or removed, that is written down in the store itself; afterwards its points
follow, and the entry goes. Where Qdrant cannot be reached, or the process ends in between, the entry
stays: a search lets those notes through Qdrant's filter and leaves the judgement to the store.
"""

import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Final

from recollect.model.errors import VectorsAway
from recollect.model.records import OWN, Setting
from recollect.ports import Store
from recollect.stores.qdrant.collections import AT_ONCE, Collections
from recollect.stores.qdrant.filters import any_of
from recollect.stores.qdrant.line import NotThere
from recollect.stores.qdrant.points import is_current, point_of, traits_in

if TYPE_CHECKING:
    from qdrant_client.models import Record, UpdateOperation

OWNER: Final = f"{OWN}qdrant behind"
GRACE_SECONDS: Final = 60.0
"""An entry younger than this may belong to a write that is under way in another process."""


class Behind:
    def __init__(self, store: Store, collections: Collections) -> None:
        self._store = store
        self._collections = collections

    def notes(self) -> frozenset[str]:
        entries = self._store.settings.settings(OWNER).values()
        return frozenset(note_id for entry in entries for note_id in entry["notes"])

    @contextmanager
    def changing(self, note_ids: Iterable[str]) -> Iterator[None]:
        """Around a change of the store. The change holds whether Qdrant can be reached or not."""
        own = sorted(note_ids)
        if not own or not self._collections.ledger.models():
            yield
            return
        entry = self.entry(own)
        self._store.settings.change_settings(OWNER, {entry.name: entry.value})
        yield
        with suppress(VectorsAway):  # the entry stays, and says what is left to do
            self.bring_up(own)
            self._strike([entry.name])

    def entry(self, note_ids: Iterable[str]) -> Setting:
        value = {"at": time.time(), "notes": sorted(note_ids)}
        return Setting(OWNER, secrets.token_hex(8), value)

    def catch_up(self, *, everything: bool = False) -> int:
        """Does what was left to do; how many notes that concerned."""
        latest = time.time() if everything else time.time() - GRACE_SECONDS
        entries = self._store.settings.settings(OWNER)
        due = {name: entry["notes"] for name, entry in entries.items() if entry["at"] <= latest}
        late = sorted({note_id for own in due.values() for note_id in own})
        if due:
            self.bring_up(late)
            self._strike(due)
        return len(late)

    def bring_up(self, note_ids: Iterable[str]) -> None:
        """The points of these notes say what the store says; those of what is gone are gone."""
        ids = iter(note_ids)
        while some := list(islice(ids, AT_ONCE)):
            for model in self._collections.ledger.models():
                self._bring_up(model.identity, some)

    def put_right(self, model: str, found: "list[Record]") -> list[str]:
        """Makes these points say what the store says; the passages whose point is really theirs."""
        shelf = self._store.shelf
        passages = shelf.passages(str((one.payload or {}).get("passage")) for one in found)
        real = {point_of(passage): passage for passage in passages.values()}
        notes = shelf.notes(passage.note_id for passage in real.values())
        kept = [one for one in found if str(one.id) in real]
        gone = [str(one.id) for one in found if str(one.id) not in real]
        wrong: dict[str, list[str]] = {}
        for one in kept:
            note_id = real[str(one.id)].note_id
            if note_id in notes and not is_current(one.payload or {}, notes[note_id]):
                wrong.setdefault(note_id, []).append(str(one.id))
        traits = {note_id: traits_in(notes[note_id]) for note_id in wrong}
        self._collections.change(
            model, [*_deleting(gone), *_setting((traits[one], ids) for one, ids in wrong.items())]
        )
        return [real[str(one.id)].id for one in kept]

    def _bring_up(self, model: str, note_ids: list[str]) -> None:
        from qdrant_client.models import Filter

        with suppress(NotThere):  # nothing there is behind; the doctor finds that it is missing
            for found in self._collections.each(model, Filter(must=[any_of("note", note_ids)])):
                self.put_right(model, found)

    def _strike(self, names: Iterable[str]) -> None:
        self._store.settings.change_settings(OWNER, dict.fromkeys(names))


def _deleting(point_ids: list[str]) -> "list[UpdateOperation]":
    from qdrant_client.models import DeleteOperation, PointIdsList

    if not point_ids:
        return []
    return [DeleteOperation(delete=PointIdsList(points=list(point_ids)))]


def _setting(
    payloads: Iterable[tuple[dict[str, object], list[str]]],
) -> "list[UpdateOperation]":
    from qdrant_client.models import SetPayload, SetPayloadOperation

    return [
        SetPayloadOperation(set_payload=SetPayload(payload=payload, points=list(ids)))
        for payload, ids in payloads
    ]
