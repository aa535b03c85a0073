"""Vectors as pgvector sends, takes and writes them. Pure."""

import struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recollect.ports import Vector

_HEAD: Final = struct.Struct(">hh")
"""How many numbers follow, and a number to spare; then the numbers in single precision."""


def sent(vector: Vector) -> bytes:
    numbers = np.asarray(vector, ">f4")
    return _HEAD.pack(len(numbers), 0) + numbers.tobytes()


def received(binary: bytes) -> NDArray[np.float32]:
    return np.frombuffer(binary, ">f4", offset=_HEAD.size).astype(np.float32)


def literal(vector: Vector) -> str:
    """Nine digits bring a single-precision number back as it was."""
    numbers = np.asarray(vector, np.float32).tolist()
    return f"[{','.join([f'{number:.9g}' for number in numbers])}]"
