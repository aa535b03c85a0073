"""A few searches kept for a while under an unguessable id, so that they can be settled again."""

import secrets
import threading
from collections import OrderedDict
from typing import Final

from recollect.engine.held import Held
from recollect.model.errors import NotFound

KEPT: Final = 128


class Keeping:
    """The oldest gives way to the newest. Who kept a search is the only one who gets it."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Held] = OrderedDict()
        self._changing = threading.Lock()

    def keep(self, caller: str, held: Held, search_id: str | None = None) -> str:
        name = search_id or secrets.token_urlsafe(12)
        with self._changing:
            self._kept[caller, name] = held
            self._kept.move_to_end((caller, name))
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return name

    def get(self, caller: str, search_id: str) -> Held:
        with self._changing:
            if (caller, search_id) not in self._kept:
                raise NotFound("search", search_id)
            self._kept.move_to_end((caller, search_id))
            return self._kept[caller, search_id]
