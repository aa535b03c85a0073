"""Many values in, one bound parameter out: a JSON list that SQLite unpacks with `json_each`."""

import json
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

GIVEN = "(SELECT value FROM json_each(?))"


def listed(values: Iterable[str] | Iterable[int]) -> str:
    return json.dumps(list(values))


def listed_rows(rows: NDArray[np.int64]) -> str:
    return json.dumps(rows.tolist())


@lru_cache(maxsize=10_000)  # the same few lists of tags and headings, over and over
def unpacked(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))
