"""Reading safetensors."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from recollect.encoders.weights import tensors
from recollect.model.errors import EncoderError


def test_what_the_format_s_own_library_wrote_is_read_back(tmp_path: Path) -> None:
    written: dict[str, NDArray[Any]] = {
        "halves": np.arange(6, dtype=np.float16).reshape(2, 3),
        "singles": np.array([[1.5], [-2.5]], dtype=np.float32),
        "numbers": np.array([7, 8], dtype=np.int64),
    }
    save_file(written, tmp_path / "w.safetensors", metadata={"format": "np"})
    read = tensors(tmp_path / "w.safetensors")
    assert read.keys() == written.keys()
    for name, values in written.items():
        assert read[name].dtype == values.dtype
        assert np.array_equal(read[name], values)


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 64, b"\x02\0\0\0\0\0\0\0[]"])
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "w.safetensors"
    broken.write_bytes(content)
    with pytest.raises(EncoderError, match=r"w\.safetensors"):
        tensors(broken)


def test_a_tensor_that_ends_before_its_shape_is_refused(tmp_path: Path) -> None:
    whole = tmp_path / "w.safetensors"
    save_file({"a": np.ones(64, dtype=np.float32)}, whole)
    whole.write_bytes(whole.read_bytes()[:-4])
    with pytest.raises(EncoderError, match=r"w\.safetensors"):
        tensors(whole)
