"""Any ONNX model by its folder, on graphs small enough to work out by hand."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from recollect.encoders.onnx_model import OnnxModel
from recollect.model.errors import EncoderError
from tests.encoders import tiny

ROOT = math.sqrt(0.5)


def pooled_model(folder: Path, name: str = "sentence_embedding") -> Path:
    """Token vectors, and beside them the largest value of each column as the text's vector."""
    gather = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    pool = helper.make_node("ReduceMax", ["last_hidden_state"], [name], axes=[1], keepdims=0)
    outputs: dict[str, Sequence[str | int]] = {
        "last_hidden_state": ["texts", "tokens", 2],
        name: ["texts", 2],
    }
    return tiny.model(folder, [gather, pool], outputs, inputs=["input_ids"])


def test_tokens_are_pooled_to_their_mean_and_padding_counts_for_nothing(tmp_path: Path) -> None:
    model = OnnxModel(tiny.token_model(tmp_path))
    vectors = model.embed(["red green", "green", "red red blue green"])
    assert model.dimensions == 2
    assert np.allclose(vectors, [[ROOT, ROOT], [0.0, 1.0], [ROOT, ROOT]])


def test_a_sentence_output_is_taken_as_it_is(tmp_path: Path) -> None:
    assert np.allclose(OnnxModel(pooled_model(tmp_path)).embed(["blue red"]), [[1, 0]])


def test_a_pooler_output_is_not_a_sentence_vector(tmp_path: Path) -> None:
    """BERT's pooler was trained for another task: the mean of the tokens is meant."""
    vectors = OnnxModel(pooled_model(tmp_path, "pooler_output")).embed(["blue green"])
    assert np.allclose(vectors, [[-ROOT, ROOT]])


def test_a_size_that_the_graph_leaves_open_is_found_by_asking(tmp_path: Path) -> None:
    gather = helper.make_node("Gather", ["table", "input_ids"], ["out"])
    model = OnnxModel(tiny.model(tmp_path, [gather], {"out": ["texts", "tokens", "size"]}))
    assert model.dimensions == 2


def test_token_types_are_given_where_they_are_asked_for(tmp_path: Path) -> None:
    total = helper.make_node("Add", ["input_ids", "token_type_ids"], ["both"])
    gather = helper.make_node("Gather", ["table", "both"], ["out"])
    inputs = ["input_ids", "token_type_ids"]
    folder = tiny.model(tmp_path, [total, gather], {"out": ["texts", "tokens", 2]}, inputs)
    assert np.allclose(OnnxModel(folder).embed(["red"]), [[1, 0]])


def test_texts_past_the_longest_are_cut(tmp_path: Path) -> None:
    model = OnnxModel(tiny.token_model(tmp_path), longest=3)
    assert np.allclose(model.embed(["green red red red"]), [[0, 1]])


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_text_is_the_zero_vector(tmp_path: Path, text: str) -> None:
    assert np.array_equal(OnnxModel(tiny.token_model(tmp_path)).embed([text]), [[0, 0]])


def test_a_vector_of_no_length_stays_zero(tmp_path: Path) -> None:
    assert np.array_equal(OnnxModel(tiny.token_model(tmp_path)).embed(["red blue"]), [[0, 0]])


def test_identity_follows_the_files_and_not_their_place(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one", "same", "other"))
    for folder in (one, same, other):
        folder.mkdir()
    tiny.token_model(one)
    tiny.token_model(same)
    pooled_model(other)
    identities = [OnnxModel(folder).identity for folder in (one, same, other)]
    assert identities[0] == identities[1] != identities[2]
    assert OnnxModel(one, longest=9).identity != identities[0]


def test_an_input_that_cannot_be_given_is_named(tmp_path: Path) -> None:
    gather = helper.make_node("Gather", ["table", "pixels"], ["out"])
    folder = tiny.model(tmp_path, [gather], {"out": ["texts", "tokens", 2]}, ["pixels"])
    with pytest.raises(EncoderError, match="asks for pixels"):
        OnnxModel(folder).embed(["red"])


def test_outputs_of_which_none_is_a_vector_are_named(tmp_path: Path) -> None:
    flat = helper.make_node("ReduceMax", ["table"], ["most"], keepdims=0)
    folder = tiny.model(tmp_path, [flat], {"most": []})
    with pytest.raises(EncoderError, match="most"):
        OnnxModel(folder).embed(["red"])


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"model\.onnx"):
        _ = OnnxModel(tmp_path).identity
    with pytest.raises(EncoderError, match=r"tokenizer\.json"):
        OnnxModel(tmp_path).embed(["red"])


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    tiny.tokenizer(tmp_path)
    (tmp_path / "model.onnx").write_text("not a model")
    with pytest.raises(EncoderError, match=r"no ONNX model can be read from .*model\.onnx"):
        OnnxModel(tmp_path).embed(["red"])


def test_a_graph_that_fails_on_a_text_says_so(tmp_path: Path) -> None:
    """Its table has no row for the id it is asked about."""
    shifted = helper.make_node("Mul", ["input_ids", "input_ids"], ["too_far"])
    gather = helper.make_node("Gather", ["table", "too_far"], ["out"])
    folder = tiny.model(tmp_path, [shifted, gather], {"out": ["texts", "tokens", 2]})
    with pytest.raises(EncoderError, match="failed"):
        OnnxModel(folder).embed(["blue"])
