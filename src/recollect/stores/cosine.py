"""How alike two vectors are: one number, to the last bit, whichever store is asked. Pure."""

import numpy as np
from numpy.typing import NDArray

from recollect.model.errors import BadInput

Vectors = NDArray[np.float32]
Similarities = NDArray[np.float64]


def unit_of(vectors: Vectors, dimensions: int) -> Vectors:
    """Each vector at length 1; one that is all zero stays so."""
    if vectors.ndim != 2 or vectors.shape[1] != dimensions:
        raise BadInput("vectors", vectors.shape, f"are not of {dimensions} dimensions")
    exact = np.asarray(vectors, np.float64)
    if not np.isfinite(exact).all():
        raise BadInput("vectors", "NaN or infinity", "cannot be compared; embed the text again")
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return (exact / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def cosines_of(vectors: Vectors, query: Vectors) -> Similarities:
    """Row by row, in double precision: BLAS would let a row's neighbours change its last bits."""
    similar: Similarities = (vectors.astype(np.float64) * query).sum(axis=1)
    return similar
