"""A stream of records in, runs of one kind out, each short enough to be held. Pure."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Final

from recollect.model.records import Kind, Record, kind_of

AT_ONCE: Final = 256


def runs(records: Iterable[Record]) -> Iterator[tuple[Kind, list[Record]]]:
    for kind, own in groupby(records, key=kind_of):
        while run := list(islice(own, AT_ONCE)):
            yield kind, run
