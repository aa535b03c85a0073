"""A BERT's weights in, its ONNX graph out: from token ids to token vectors and a sentence vector.

Only standard operators, in the shape that onnxruntime fuses by itself. Pure. In int8 the weights
are whole numbers with a scale for each column, and what flows through is rounded as it comes: a
text's vector then depends on which texts run with it, so each must run alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from recollect.encoders.minilm import Precision

Weights = Mapping[str, NDArray[Any]]

OPSET, IR = 20, 10  # Gelu came with opset 20; IR 10 is what that opset was released with
EPSILON = 1e-12  # of the layer norms, from the model's config.json
HIDDEN_FROM_ATTENTION = -1e9  # added to the score of padding, so that its share is zero
INT8 = 127  # the largest whole number of eight bits, with a sign
SENTENCE, TOKENS = "sentence_vector", "token_vectors"


class Shape(NamedTuple):
    """What the weights do not say by themselves."""

    layers: int
    heads: int


def bert_graph(weights: Weights, shape: Shape, precision: Precision = "float32") -> ModelProto:
    graph = _Graph(weights, shape, precision)
    graph.build()
    size = weights["embeddings.LayerNorm.weight"].shape[0]
    value = helper.make_tensor_value_info
    whole = helper.make_graph(
        graph.nodes,
        "bert",
        [value(name, TensorProto.INT64, ["texts", "tokens"]) for name in (_IDS, _MASK)],
        [
            value(SENTENCE, TensorProto.FLOAT, ["texts", size]),
            value(TOKENS, TensorProto.FLOAT, ["texts", "tokens", size]),
        ],
        graph.constants,
    )
    opset = helper.make_opsetid("", OPSET)
    return helper.make_model(whole, opset_imports=[opset], ir_version=IR)


_IDS, _MASK = "input_ids", "attention_mask"


class _Graph:
    """Nodes and constants as they are added; every method returns the name of what it computes."""

    def __init__(self, weights: Weights, shape: Shape, precision: Precision) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._weights = weights
        self._shape = shape
        self._product = self._rounded if precision == "int8" else self._exact

    def build(self) -> None:
        mask = self._op("Cast", _MASK, to=TensorProto.FLOAT)
        hidden = self._embeddings()
        bias = self._attention_bias(mask)
        for layer in range(self._shape.layers):
            hidden = self._layer(f"encoder.layer.{layer}", hidden, bias)
        self._op("Identity", hidden, into=TOKENS)
        self._sentence(hidden, mask)

    def _embeddings(self) -> str:
        weights = self._weights
        # every text is the first of a pair, so its segment's vector is part of the position
        positions = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        words = self._constant("words", weights["embeddings.word_embeddings.weight"])
        start = self._constant("start", [0])
        length = self._op("Shape", _IDS, start=1, end=2)
        placed = self._op("Slice", self._constant("positions", positions), start, length, start)
        hidden = self._op("Add", self._op("Gather", words, _IDS), placed)
        return self._norm("embeddings.LayerNorm", hidden)

    def _attention_bias(self, mask: str) -> str:
        hidden = self._op("Sub", self._constant("one", np.float32(1)), mask)
        bias = self._op("Mul", hidden, self._constant("minus", np.float32(HIDDEN_FROM_ATTENTION)))
        return self._op("Unsqueeze", bias, self._constant("heads and queries", [1, 2]))

    def _layer(self, name: str, hidden: str, bias: str) -> str:
        seen = self._attention(f"{name}.attention", hidden, bias)
        hidden = self._norm(f"{name}.attention.output.LayerNorm", self._op("Add", seen, hidden))
        wide = self._op("Gelu", self._linear(f"{name}.intermediate.dense", hidden))
        narrow = self._linear(f"{name}.output.dense", wide)
        return self._norm(f"{name}.output.LayerNorm", self._op("Add", narrow, hidden))

    def _attention(self, name: str, hidden: str, bias: str) -> str:
        query = self._heads(f"{name}.self.query", hidden, [0, 2, 1, 3])
        key = self._heads(f"{name}.self.key", hidden, [0, 2, 3, 1])
        value = self._heads(f"{name}.self.value", hidden, [0, 2, 1, 3])
        size = self._weights[f"{name}.self.query.bias"].shape[0] // self._shape.heads
        scale = self._constant(f"{name}.scale", np.float32(size**-0.5))
        scores = self._op("Mul", self._op("MatMul", query, key), scale)
        shares = self._op("Softmax", self._op("Add", scores, bias), axis=-1)
        mixed = self._op("Transpose", self._op("MatMul", shares, value), perm=[0, 2, 1, 3])
        joined = self._op("Reshape", mixed, self._constant(f"{name}.joined", [0, 0, -1]))
        return self._linear(f"{name}.output.dense", joined)

    def _heads(self, name: str, hidden: str, order: Sequence[int]) -> str:
        split = self._constant(f"{name}.split", [0, 0, self._shape.heads, -1])
        apart = self._op("Reshape", self._linear(name, hidden), split)
        return self._op("Transpose", apart, perm=order)

    def _sentence(self, hidden: str, mask: str) -> None:
        """The mean has the direction of the sum, and only the direction is left at unit length."""
        across = self._constant("across", [1])
        real = self._op("Mul", hidden, self._op("Unsqueeze", mask, self._constant("last", [-1])))
        total = self._op("ReduceSum", real, across, keepdims=0)
        length = self._op("ReduceL2", total, across, keepdims=1)
        self._op("Div", total, length, into=SENTENCE)

    def _linear(self, name: str, hidden: str) -> str:
        bias = self._constant(f"{name}.bias", self._weights[f"{name}.bias"])
        return self._op("Add", self._product(name, hidden), bias)

    def _exact(self, name: str, hidden: str) -> str:
        weight = self._constant(f"{name}.weight", self._weights[f"{name}.weight"].T)
        return self._op("MatMul", hidden, weight)

    def _rounded(self, name: str, hidden: str) -> str:
        weight = self._weights[f"{name}.weight"].T
        scale = np.abs(weight).max(axis=0) / np.float32(INT8)
        whole = self._constant(f"{name}.weight", np.round(weight / scale).astype(np.int8))
        rounded, step, zero = (
            f"{hidden} {part} for {name}" for part in ("rounded", "step", "zero")
        )
        self.nodes.append(
            helper.make_node("DynamicQuantizeLinear", [hidden], [rounded, step, zero])
        )
        product = self._op("MatMulInteger", rounded, whole, zero)
        scales = self._op("Mul", step, self._constant(f"{name}.scale", scale))
        return self._op("Mul", self._op("Cast", product, to=TensorProto.FLOAT), scales)

    def _norm(self, name: str, hidden: str) -> str:
        weight = self._constant(f"{name}.weight", self._weights[f"{name}.weight"])
        bias = self._constant(f"{name}.bias", self._weights[f"{name}.bias"])
        return self._op("LayerNormalization", hidden, weight, bias, epsilon=EPSILON)

    def _op(self, kind: str, *inputs: str, into: str | None = None, **attributes: Any) -> str:
        output = into or f"{kind} {len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def _constant(self, name: str, value: Any) -> str:
        self.constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name
