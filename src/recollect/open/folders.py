"""A folder in, its notes in the store out: what `recollect index` and `watch` do."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.engine.index import Changes, known_files, write_changes
from recollect.ingest.diff import Difference
from recollect.ingest.links import names_attachment, target_of
from recollect.model.errors import BadInput
from recollect.open.library import VAULTS
from recollect.ports import Store
from recollect.vault.read import read
from recollect.vault.remark import Remark
from recollect.vault.scan import Scan, scan
from recollect.vault.settings import load_config


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a look at a folder came to."""

    space: str
    written: int
    difference: Difference
    links: int
    unresolved: int
    remarks: tuple[Remark, ...]


def index_folder(
    store: Store, root: Path, space: str, progress: Callable[[int, int], None]
) -> Indexed:
    config = load_config(root)
    known = known_files(space, store)
    found = scan(root, space, config.vault, known)
    if known and not found.records:
        raise BadInput(
            "folder",
            str(root),
            f"holds no notes now, but {len(known)} are known from it; is the disk mounted? "
            f"to remove them: recollect forget --everything --space {space}",
        )
    remarks = list(found.remarks)
    changes = Changes(
        space=space,
        pending=found.pending,
        read=lambda path: read(found, path, remarks.append),
        removed_ids=found.removed_ids,
        forgotten=found.forgotten,
        refreshed=found.refreshed,
        records=found.records,
    )
    # first of all, so that whoever comes after an interruption, or meanwhile, finds the name taken
    store.settings.change_settings(VAULTS, {space: str(root)})
    written = write_changes(changes, store, lambda count: progress(count, len(found.pending)))
    links = sum(len(record.links) for record in found.records.values())
    return Indexed(space, written, found.difference, links, unresolved_in(found), tuple(remarks))


def unresolved_in(found: Scan) -> int:
    """Links of this folder that lead to no note in it, pictures and the like not counted."""
    targets = (
        (target_of(mention, found.link_style), record.path)
        for record in found.records.values()
        for mention in record.mentions
    )
    missing = {
        (target, source)
        for target, source in targets
        if target and not names_attachment(target) and found.names.find(target, source) is None
    }
    return len(missing)
