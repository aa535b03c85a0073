"""How fast a folder of notes is read, and what becomes of its links: `python -m bench.vault PATH`."""

import argparse
import random
import resource
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from recollect.ingest.links import names_attachment, target_of
from recollect.ingest.record import FileRecord
from recollect.vault.read import Reading, read
from recollect.vault.remark import Remark, summary_of
from recollect.vault.scan import Scan, scan
from recollect.vault.settings import load_config


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="a folder of notes; it is only read")
    parser.add_argument("--unresolved", type=int, default=0, help="show so many, drawn by chance")
    arguments = parser.parse_args()
    settings = load_config(arguments.path).vault

    started = time.perf_counter()
    first = scan(arguments.path, "bench", settings, {})
    scanned = time.perf_counter()
    remarks: list[Remark] = []
    kept, passages = _read_all(first, remarks)
    done = time.perf_counter()
    again = scan(arguments.path, "bench", settings, kept)
    settled = time.perf_counter()

    megabytes = sum(record.size for record in kept.values()) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(kept)} notes, {megabytes:.1f} MB, {passages} passages, style {first.link_style}")
    print(f"scan, parse and resolve  {scanned - started:6.2f} s")
    print(f"read again and cut       {done - scanned:6.2f} s")
    print(f"second scan, unchanged   {settled - done:6.2f} s, {len(again.pending)} to write")
    print(f"peak memory              {peak:6.0f} MB")
    _tell_links(first, arguments.unresolved)
    for line in summary_of((*first.remarks, *remarks)):
        print(f"  {line}")


def _read_all(seen: Scan, remarks: list[Remark]) -> tuple[dict[str, FileRecord], int]:
    kept, passages = {}, 0
    for reading in _readings(seen, remarks):
        kept[reading.record.path] = reading.record
        passages += len(reading.passages)
    return kept, passages


def _readings(seen: Scan, remarks: list[Remark]) -> Iterator[Reading]:
    for path in seen.pending:
        reading = read(seen, path, remarks.append)
        if reading:
            yield reading


def _tell_links(seen: Scan, shown: int) -> None:
    missing = list(_unresolved(seen))
    notes = [(source, target) for source, target in missing if not names_attachment(target)]
    written = sum(1 for _ in _targets(seen))
    arrows = sum(len(record.links) for record in seen.records.values())
    targets = {link.target for record in seen.records.values() for link in record.links}
    print(
        f"{written} distinct links written: {written - len(missing)} resolved, "
        f"{len(missing) - len(notes)} to attachments, {len(notes)} unresolved"
    )
    print(f"{arrows} arrows between notes, {len(targets)} notes linked to")
    for source, target in _some(notes, shown):
        print(f"  {source}: {target}")


def _targets(seen: Scan) -> Iterator[tuple[str, str]]:
    for record in seen.records.values():
        for mention in record.mentions:
            if target := target_of(mention, seen.link_style):
                yield record.path, target


def _unresolved(seen: Scan) -> Iterator[tuple[str, str]]:
    for path, target in _targets(seen):
        if seen.names.find(target, path) is None:
            yield path, target


def _some(pairs: Iterable[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    everything = list(pairs)
    return random.Random(0).sample(everything, min(count, len(everything)))


if __name__ == "__main__":
    main()
