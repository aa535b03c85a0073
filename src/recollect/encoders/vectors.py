"""Arithmetic on rows of vectors that every encoder shares. Pure."""

import numpy as np
from numpy.typing import NDArray


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length one; a row of zeros stays zero, so that nothing ever becomes NaN."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)
