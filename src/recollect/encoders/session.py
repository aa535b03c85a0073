"""A folder with an ONNX graph and its tokenizer in; numbers for texts out, on every core.

Each group of texts runs on one thread, and the groups run side by side: on a busy machine that is
about twice as fast as one group on many threads, which wait for each other (docs/adr/0011).
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.encoders.batches import batches
from recollect.model.errors import EncoderError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

GRAPH, TOKENIZER = "model.onnx", "tokenizer.json"
INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
BUDGET = 256  # tokens a group: more is slower on one thread, less is slower for short texts
ERRORS_ONLY = 3


class Output(NamedTuple):
    """One of a graph's outputs; an axis whose size varies is None."""

    name: str
    shape: tuple[int | None, ...]


class Group(NamedTuple):
    """What the graph said of some texts: their positions, its values, and which tokens are real."""

    positions: list[int]
    values: NDArray[np.float32]
    mask: NDArray[np.int64]


class Session:
    def __init__(self, folder: Path, longest: int, budget: int = BUDGET) -> None:
        self._folder = folder
        self._budget = budget
        self._tokenizer = _tokenizer(folder / TOKENIZER, longest)
        self._graph = _graph(folder / GRAPH)
        self._inputs = [each.name for each in self._graph.get_inputs()]
        if unknown := set(self._inputs) - INPUTS:
            raise EncoderError(
                f"{folder / GRAPH} asks for {', '.join(sorted(unknown))}; "
                f"only {', '.join(sorted(INPUTS))} can be given"
            )

    @property
    def outputs(self) -> list[Output]:
        return [Output(each.name, _shape(each.shape)) for each in self._graph.get_outputs()]

    def tokens(self, texts: Sequence[str]) -> "list[Encoding]":
        return self._tokenizer.encode_batch(list(texts))

    def token_pairs(self, first: str, texts: Sequence[str]) -> "list[Encoding]":
        return self._tokenizer.encode_batch([(first, text) for text in texts])

    def run(self, encodings: "Sequence[Encoding]", output: str) -> Iterator[Group]:
        """The groups in a fixed order, whichever of them is done first."""
        groups = list(batches([len(each.ids) for each in encodings], self._budget))
        if len(groups) == 1:
            yield self._run(groups[0], encodings, output)
            return
        with ThreadPoolExecutor(_cores()) as pool:
            yield from pool.map(lambda each: self._run(each, encodings, output), groups)

    def _run(self, positions: list[int], encodings: "Sequence[Encoding]", output: str) -> Group:
        group = [encodings[position] for position in positions]
        mask = _padded([each.attention_mask for each in group])
        given = {
            "input_ids": _padded([each.ids for each in group]),
            "attention_mask": mask,
            "token_type_ids": _padded([each.type_ids for each in group]),
        }
        try:
            values = self._graph.run([output], {name: given[name] for name in self._inputs})[0]
        except (
            Exception
        ) as broken:  # onnxruntime raises its own types, each straight from Exception
            raise EncoderError(f"{self._folder / GRAPH} failed: {broken}") from broken
        return Group(positions, values, mask)


def _tokenizer(path: Path, longest: int) -> "Tokenizer":
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as broken:  # tokenizers raises Exception itself
        raise EncoderError(f"no tokenizer can be read from {path} ({broken})") from broken
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer


def _graph(path: Path) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    try:
        return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as broken:  # onnxruntime raises its own types, each straight from Exception
        raise EncoderError(f"no ONNX model can be read from {path} ({broken})") from broken


def _shape(shape: Sequence[Any]) -> tuple[int | None, ...]:
    return tuple(size if isinstance(size, int) else None for size in shape)


def _padded(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    padded = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
    for line, row in zip(padded, rows, strict=True):
        line[: len(row)] = row
    return padded


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
