"""Named arrays in, one immutable file out, and back again memory-mapped. Touches files.

A file holds its arrays one after another, then a table of them, then a fixed tail that checks the
table. Opening reads the tail and the table only; `damage` reads every byte.
"""

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.model.errors import StoreError

Array = NDArray[Any]
Arrays = Mapping[str, Array]
Columns = Mapping[str, Iterable[Array]]
"""Arrays not yet joined: the blocks of one name follow each other along the first axis."""

_TAIL = struct.Struct("<8sQI")
_MAGIC = b"RCLSEG01"
_ALIGNMENT = 64  # a cache line, and more than any element type asks for


class Damaged(StoreError):
    """A derived file that is not what was written. It can be rebuilt from the store's own file."""


class Stamp(NamedTuple):
    """What a file must look like to be the one that was written: its name, size and table."""

    name: str
    size: int
    checksum: int


def write(path: Path, columns: Columns) -> Stamp:
    """The file is on disk, to the last byte, when this returns."""
    table: dict[str, dict[str, Any]] = {}
    with path.open("wb") as file:
        for name, blocks in columns.items():
            file.write(b"\0" * (-file.tell() % _ALIGNMENT))
            table[name] = _write_blocks(file, blocks)
        encoded = json.dumps(table).encode()
        checksum = zlib.crc32(encoded)
        file.write(encoded)
        file.write(_TAIL.pack(_MAGIC, len(encoded), checksum))
        size = file.tell()
        file.flush()
        os.fsync(file.fileno())
    return Stamp(path.name, size, checksum)


def read(directory: Path, stamp: Stamp) -> dict[str, Array]:
    """The arrays of a file, mapped: nothing is read until it is used."""
    path = directory / stamp.name
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != stamp.size or size < _TAIL.size:
            raise Damaged(f"{path}: {size} bytes, {stamp.size} were written")
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return {name: _view(content, entry) for name, entry in _table(path, content, stamp).items()}


def damage(directory: Path, stamp: Stamp) -> str | None:
    """What is wrong with a file, by reading all of it; None for a sound one."""
    path = directory / stamp.name
    try:
        arrays = read(directory, stamp)
        content = path.read_bytes()
        table = _table(path, content, stamp)
    except (Damaged, OSError) as error:
        return str(error)
    torn = [name for name in arrays if _checksum(arrays[name]) != table[name]["checksum"]]
    return f"{path}: damaged in {', '.join(torn)}" if torn else None


def _write_blocks(file: Any, blocks: Iterable[Array]) -> dict[str, Any]:
    offset, checksum, length = file.tell(), 0, 0
    shape: tuple[int, ...] = (0,)
    dtype = np.dtype(np.uint8)
    for block in blocks:
        whole = np.ascontiguousarray(block)
        dtype, shape = whole.dtype, whole.shape
        length += shape[0]
        checksum = zlib.crc32(_bytes(whole), checksum)
        file.write(_bytes(whole))
    return {
        "dtype": dtype.str,
        "shape": [length, *shape[1:]],
        "offset": offset,
        "checksum": checksum,
    }


def _bytes(array: Array) -> memoryview:
    return array.reshape(-1).view(np.uint8).data


def _checksum(array: Array) -> int:
    return zlib.crc32(_bytes(array))


def _table(path: Path, content: mmap.mmap | bytes, stamp: Stamp) -> dict[str, dict[str, Any]]:
    end = len(content) - _TAIL.size
    magic, length, checksum = _TAIL.unpack(content[end:])
    if magic != _MAGIC or length > end:
        raise Damaged(f"{path}: not a segment file, or its end is torn")
    encoded = bytes(content[end - length : end])
    if checksum != stamp.checksum or zlib.crc32(encoded) != checksum:
        raise Damaged(f"{path}: its table of arrays is damaged")
    table: dict[str, dict[str, Any]] = json.loads(encoded)
    return table


def _view(content: mmap.mmap, entry: Mapping[str, Any]) -> Array:
    shape, dtype = tuple(entry["shape"]), np.dtype(entry["dtype"])
    count = int(np.prod(shape))
    return np.frombuffer(content, dtype, count, entry["offset"]).reshape(shape)
