"""What was known of a folder and what is there now in; what happened in between out. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """Every path of either side stands in exactly one of these; a rename is (before, after)."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    unchanged: tuple[str, ...] = ()


def difference(known: Mapping[str, str], seen: Mapping[str, str]) -> Difference:
    """Both map a path to its content's digest.

    A file is renamed where exactly one lost path and exactly one new path have its content; with
    more of either nobody can say which became which, and they count as removed and added.
    """
    lost = {path: digest for path, digest in known.items() if path not in seen}
    new = {path: digest for path, digest in seen.items() if path not in known}
    moved = _moves(lost, new)
    stayed = [path for path in seen if path in known]
    return Difference(
        added=_sorted(new.keys() - moved.values()),
        changed=_sorted(path for path in stayed if known[path] != seen[path]),
        removed=_sorted(lost.keys() - moved.keys()),
        renamed=tuple(sorted(moved.items())),
        unchanged=_sorted(path for path in stayed if known[path] == seen[path]),
    )


def _moves(lost: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    losses, arrivals = Counter(lost.values()), Counter(new.values())
    arrived = {digest: path for path, digest in new.items() if arrivals[digest] == 1}
    return {
        path: arrived[digest]
        for path, digest in lost.items()
        if losses[digest] == 1 and digest in arrived
    }


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths))
