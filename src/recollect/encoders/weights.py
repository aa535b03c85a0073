"""A safetensors file in, its tensors by name out, mapped from disk: what is not used is not read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.model.errors import EncoderError

TYPES = {"F16": np.float16, "F32": np.float32, "I64": np.int64}
PREFIX = 8  # the header's length, a little-endian 64-bit number, comes before the header


def tensors(path: Path) -> Mapping[str, NDArray[Any]]:
    try:
        return _tensors(np.memmap(path, dtype=np.uint8, mode="r"))
    except (OSError, ValueError, KeyError, IndexError, TypeError) as broken:
        raise EncoderError(
            f"no weights can be read from {path} ({broken}); install its package again"
        ) from broken


def _tensors(file: NDArray[np.uint8]) -> Mapping[str, NDArray[Any]]:
    start = PREFIX + int(file[:PREFIX].view("<u8")[0])
    header = json.loads(file[PREFIX:start].tobytes())
    header.pop("__metadata__", None)
    return {name: _tensor(file[start:], **entry) for name, entry in header.items()}


def _tensor(
    body: NDArray[np.uint8], dtype: str, shape: list[int], data_offsets: tuple[int, int]
) -> NDArray[Any]:
    begin, end = data_offsets
    return body[begin:end].view(TYPES[dtype]).reshape(shape)
