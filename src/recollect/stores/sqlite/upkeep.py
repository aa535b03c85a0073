"""Looking after the file: its examination, its repair, its copy."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.model.inventory import Finding
from recollect.stores.sqlite.backup import backup
from recollect.stores.sqlite.doctor import examine
from recollect.stores.sqlite.repair import repair

if TYPE_CHECKING:
    from recollect.stores.sqlite import SQLiteStore


class SQLiteUpkeep:
    def __init__(self, opened: "SQLiteStore") -> None:
        self._opened = opened

    def examine(self, *, thorough: bool = False) -> Sequence[Finding]:
        return examine(self._opened, thorough=thorough)

    def repair(self) -> None:
        repair(self._opened)

    def backup(self, target: str) -> str:
        return str(backup(self._opened, Path(target)))
