"""ONNX models of a few numbers, whose answers can be worked out by hand."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "red", "green", "blue"]
TABLE = np.array([[9, 9], [0, 0], [0, 0], [5, 5], [1, 0], [0, 1], [-1, 0]], dtype=np.float32)
"""A word's vector. Padding's is large, so that whoever forgets the mask is found out."""


def model(
    folder: Path,
    nodes: Sequence[onnx.NodeProto],
    outputs: dict[str, Sequence[str | int]],
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
) -> Path:
    """A folder with these nodes as model.onnx; TABLE is there as `table`, [1] as `one`."""
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        list(nodes),
        "tiny",
        [value(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [value(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [
            numpy_helper.from_array(TABLE, "table"),
            numpy_helper.from_array(np.array([1]), "one"),
        ],
    )
    opset = helper.make_opsetid("", 17)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=8), folder / "model.onnx")
    tokenizer(folder)
    return folder


def token_model(folder: Path) -> Path:
    """Token vectors only: each is its word's row of TABLE."""
    gather = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    return model(folder, [gather], {"last_hidden_state": ["texts", "tokens", 2]})


def tokenizer(folder: Path) -> None:
    unknown = WORDS[3]
    words = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token=unknown))
    words.pre_tokenizer = Whitespace()
    words.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    words.save(str(folder / "tokenizer.json"))
