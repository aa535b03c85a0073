"""A derived index as a few immutable segments: new passages on top, merged as they grow.

Passages go in by row number; what comes out is `parts`, the segments a query must look at. Each
passage is alive in exactly one of them. A part is in memory until it is published, mapped from a
file afterwards. Queries work on the tuple they took and are never disturbed by a change.
"""

import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.stores.sqlite import generation, segment
from recollect.stores.sqlite.generation import Generation, Member
from recollect.stores.sqlite.segment import Array, Arrays, Columns, Damaged, Stamp

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Allowed = Mask | Rows | None
"""What a query may see: everything, a truth value for each row number, or the row numbers."""

GROWTH = (
    3  # a part is merged once those smaller than it hold a third of it: few parts, little copying
)
WORN = 0.25  # share of dead passages from which a part is rewritten
_LOOKUP = 12  # looking up one position costs as much as reading so many
_ATTEMPTS = 10  # a reader that finds a file swept away reads the newer manifest instead


class Part:
    """One segment as a query sees it: its arrays, and which of its passages are dead."""

    def __init__(self, arrays: Arrays, dead: Mask | None = None, member: Member | None = None):
        self.arrays = arrays
        self.dead = dead
        self.member = member
        self.rows: Rows = arrays["rows"]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def live(self) -> int:
        return len(self.rows) - (0 if self.dead is None else int(np.count_nonzero(self.dead)))

    @cached_property
    def alive(self) -> Mask:
        return np.ones(len(self.rows), bool) if self.dead is None else ~self.dead

    def positions(self, rows: Rows) -> NDArray[np.intp]:
        """Where those of the ascending `rows` that are alive here stand."""
        ascending, order = self._ascending
        at = np.searchsorted(ascending, rows)
        at[at == len(ascending)] = 0
        here: NDArray[np.intp] = at[ascending[at] == rows] if len(ascending) else at[:0]
        if order is not None:
            here = order[here].astype(np.intp)
        return here if self.dead is None else here[~self.dead[here]]

    def visible(self, allowed: Allowed) -> Mask | None:
        """Which positions a query may see; None for all of them."""
        if allowed is None:
            return None if self.dead is None else self.alive
        if allowed.dtype == np.bool_:
            seen = self._masked(allowed)
            return seen if self.dead is None else seen & self.alive
        named = np.zeros(len(self.rows), bool)
        named[self.positions(allowed.astype(np.int64))] = True
        return named

    def _masked(self, allowed: Array) -> Mask:
        last = int(self.rows.max()) if len(self) else 0
        if len(allowed) <= last:  # a row beyond the mask is as good as masked
            allowed = np.pad(allowed, (0, last + 1 - len(allowed)))
        first = last + 1 - len(self)
        unbroken = len(self) and self.rows[0] == first and not len(self.arrays["order"])
        return allowed[first : last + 1] if unbroken else allowed[self.rows]

    def dead_among(self, positions: NDArray[np.uint32]) -> int:
        """How many of these ascending positions are dead."""
        if self.dead is None:
            return 0
        if len(self._dead_positions) * _LOOKUP > len(positions):
            return int(np.count_nonzero(self.dead[positions]))
        at = np.searchsorted(positions, self._dead_positions)
        at[at == len(positions)] = 0
        return int(np.count_nonzero(positions[at] == self._dead_positions))

    @cached_property
    def _dead_positions(self) -> NDArray[np.uint32]:
        return np.flatnonzero(~self.alive).astype(np.uint32)

    def without(self, rows: Rows) -> "Part":
        """This part with those rows dead; itself, where it has none of them."""
        gone = self.positions(rows)
        if not len(gone):
            return self
        dead = np.zeros(len(self.rows), bool) if self.dead is None else self.dead.copy()
        dead[gone] = True
        stored = self.member and self.member._replace(dead=None)
        return Part(self.arrays, dead, stored)

    @cached_property
    def _ascending(self) -> tuple[Rows, Array | None]:
        order = self.arrays["order"]
        return (self.rows[order], order) if len(order) else (self.rows, None)


def keyed(rows: Rows) -> dict[str, list[Array]]:
    """The columns every segment has: its row numbers, and their order where it is not their own."""
    ascending = bool(np.all(rows[1:] > rows[:-1]))
    order = np.zeros(0, np.uint32) if ascending else np.argsort(rows).astype(np.uint32)
    return {"rows": [rows], "order": [order]}


Merge = Callable[[Sequence[Part]], Columns]
"""Some parts in, one out: their live passages, in the order of the parts."""


class Layers:
    """The parts of one index directory, as this process sees them."""

    def __init__(self, directory: Path, identity: str, merge: Merge):
        self._directory = directory
        self._identity = identity
        self._merge = merge
        self.changing = threading.RLock()
        self._base: Generation | None = None
        self._signature: object = None
        self.parts: tuple[Part, ...] = ()
        self.mark = 0
        self.problem: str | None = None
        directory.mkdir(parents=True, exist_ok=True)
        self.refresh()

    def refresh(self) -> None:
        """Take up a newer generation, unless this process is already further than that one."""
        if generation.signature(self._directory) == self._signature:
            return
        with self.changing:
            self._signature = generation.signature(self._directory)
            published = self._published()
            if published and published.mark >= self.mark:
                self._take(published)

    def latest(self) -> tuple[Part, ...]:
        """The parts to search now. Waits for no one: while a change is under way, those before."""
        if self.changing.acquire(blocking=False):
            try:
                self.refresh()
            finally:
                self.changing.release()
        return self.parts

    @contextmanager
    def catching_up(self) -> Iterator[int]:
        """Hold still while the store's changes after the mark that is given are added."""
        with self.changing:
            self.refresh()
            yield self.mark

    def add(self, columns: Columns) -> None:
        """Put passages on top; those that were there under the same row number are replaced."""
        with self.changing:
            fresh = Part(_joined(columns))
            self.remove(np.sort(fresh.rows))
            young = [part for part in self.parts if not part.member]
            merged = _absorbed(young, [fresh])
            if len(merged) > 1:
                fresh = Part(_joined(self._merge(merged)))
            self.parts = (*_others(self.parts, merged), fresh)

    def remove(self, rows: Rows) -> int:
        with self.changing:
            before = len(self)
            kept = (part.without(rows) for part in self.parts)
            self.parts = tuple(part for part in kept if part.live)
            return before - len(self)

    def advance(self, mark: int) -> None:
        """Say that everything up to this change of the store has been added and removed."""
        self.mark = mark

    def publish(self) -> bool:
        """Make what this process has added everyone's.

        False: another process is writing, or has written. In the second case this process now
        stands where that one stopped, and has to add again what came after `mark`.
        """
        with self.changing, generation.writing(self._directory) as mine:
            if not mine:
                return False
            published = self._published()
            if published and published != self._base and self._take(published):
                return False
            self._write(published)
            return True

    def reset(self) -> None:
        """Forget every passage, as before the first one was added."""
        with self.changing:
            self.parts, self.mark = (), 0

    def verify(self) -> list[str]:
        """What is wrong with the published files, by reading all of them."""
        try:
            published = generation.current(self._directory)
        except Damaged as error:
            return [str(error)]
        stamps = [stamp for member in published.members for stamp in member] if published else []
        checked = (segment.damage(self._directory, stamp) for stamp in stamps if stamp)
        return [problem for problem in checked if problem]

    def __len__(self) -> int:
        return sum(part.live for part in self.parts)

    @property
    def disk(self) -> int:
        """Bytes of the published files this process looks at."""
        stamps = (stamp for part in self.parts if part.member for stamp in part.member)
        return sum(stamp.size for stamp in stamps if stamp)

    def _published(self) -> Generation | None:
        """The generation on disk, where it is one that can be used."""
        try:
            published = generation.current(self._directory)
        except Damaged as error:
            self.problem = str(error)
            return None
        if published and published.identity != self._identity:
            self.problem = (
                f"{self._directory}: made for {published.identity!r}, not for {self._identity!r}"
            )
            return None
        return published

    def _take(self, published: Generation) -> bool:
        """Stand where a published generation stands; False if its files are not all there."""
        for _ in range(_ATTEMPTS):
            try:
                parts = tuple(self._open(published.members))
            except FileNotFoundError as error:
                self.problem = (
                    f"{self._directory}: a file of the index is missing: {error.filename}"
                )
                newer = self._published()
                if newer is None or newer == published:
                    break
                published = newer
            except Damaged as error:
                self.problem = str(error)
                break
            else:
                self.parts, self.mark, self._base = parts, published.mark, published
                self.problem = None
                return True
        return False

    def _open(self, members: Iterable[Member]) -> Iterator[Part]:
        known = {part.member.segment: part.arrays for part in self.parts if part.member}
        for member in members:
            arrays = known.get(member.segment) or segment.read(self._directory, member.segment)
            dead = segment.read(self._directory, member.dead)["dead"] if member.dead else None
            yield Part(arrays, dead, member)

    def _write(self, published: Generation | None) -> None:
        fresh = [part for part in self.parts if not part.member]
        merged = _absorbed([part for part in self.parts if part.member], fresh)
        members = [self._store(part) for part in _others(self.parts, merged)]
        if merged:
            members.append(Member(self._file(self._merge(merged)), None))
        number = published.number + 1 if published else 1
        written = Generation(number, self.mark, self._identity, tuple(members))
        if published and written._replace(number=published.number) == published:
            return
        generation.publish(self._directory, written)
        self._take(written)
        self._signature = generation.signature(self._directory)

    def _store(self, part: Part) -> Member:
        """Where a part is stored already, with its dead ones written down."""
        assert part.member is not None  # noqa: S101 - a part in memory is always merged
        if part.dead is None or part.member.dead:
            return part.member
        return part.member._replace(dead=self._file({"dead": [part.dead]}))

    def _file(self, columns: Columns) -> Stamp:
        return segment.write(self._directory / f"{uuid.uuid4().hex}.segment", columns)


def _absorbed(candidates: Iterable[Part], fresh: Sequence[Part]) -> list[Part]:
    """What to merge with the fresh parts: the smaller ones while they are small, and worn ones."""
    merged, size = list(fresh), sum(part.live for part in fresh)
    for part in sorted(candidates, key=lambda part: part.live):
        if part.live < GROWTH * size or part.live < (1 - WORN) * len(part):
            merged.append(part)
            size += part.live
    return merged


def _others(parts: Iterable[Part], merged: Iterable[Part]) -> list[Part]:
    taken = {id(part) for part in merged}
    return [part for part in parts if id(part) not in taken]


def _joined(columns: Columns) -> Arrays:
    return {name: _join(tuple(blocks)) for name, blocks in columns.items()}


def _join(blocks: Sequence[Array]) -> Array:
    return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)
