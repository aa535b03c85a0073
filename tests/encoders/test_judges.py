"""Judges: a cross-encoder by path, an endpoint, and late interaction."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from onnx import helper

from recollect.encoders.cross_encoder import CrossEncoder
from recollect.encoders.late_interaction import LateInteraction
from recollect.encoders.minilm import MiniLM
from recollect.encoders.onnx_model import OnnxModel
from recollect.encoders.rerank_endpoint import RerankEndpoint
from recollect.encoders.wire import Wire
from recollect.model.errors import EncoderError
from tests.encoders import tiny
from tests.encoders.server import as_json, in_turn, serving

PASSAGES = [
    "Whales sing in the deep sea.",
    "To set a new password, open the settings and choose Security.",
    "",
]


def pair_model(folder: Path, columns: int) -> Path:
    """The text's own tokens (type 1) summed: the first column is red less blue, the second green."""
    nodes = [
        helper.make_node("Mul", ["input_ids", "token_type_ids"], ["of_text"]),
        helper.make_node("Gather", ["table", "of_text"], ["rows"]),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=1),
        helper.make_node("Unsqueeze", ["second", "minus"], ["wide"]),
        helper.make_node("Mul", ["rows", "wide"], ["only"]),
        helper.make_node("ReduceSum", ["only", "one"], ["sums"], keepdims=0),
        helper.make_node("Split", ["sums"], ["red", "green"], axis=1),
        helper.make_node("Concat", ["red", "green", "green"][:columns], ["logits"], axis=1),
    ]
    nodes.insert(0, helper.make_node("Constant", [], ["minus"], value_ints=[2]))
    inputs = ["input_ids", "token_type_ids"]
    return tiny.model(folder, nodes, {"logits": ["texts", columns]}, inputs)


def test_a_cross_encoder_scores_each_text_with_the_query(tmp_path: Path) -> None:
    judge = CrossEncoder(pair_model(tmp_path, 1))
    assert judge.judge("blue", ["red red red", "green", "blue red blue"]) == [3, 0, -1]
    assert judge.judge("blue", []) == []


def test_of_two_numbers_the_difference_counts(tmp_path: Path) -> None:
    assert CrossEncoder(pair_model(tmp_path, 2)).judge("q", ["green red green"]) == [1]


def test_more_than_two_numbers_a_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="3 numbers a text"):
        CrossEncoder(pair_model(tmp_path, 3)).judge("q", ["red"])


def test_a_cross_encoder_s_identity_follows_its_files(tmp_path: Path) -> None:
    before = CrossEncoder(pair_model(tmp_path, 1)).identity
    assert CrossEncoder(tmp_path).identity == before
    (tmp_path / "model.onnx_data").write_bytes(b"weights beside the graph")
    assert CrossEncoder(tmp_path).identity != before


def judge(answer: Any, texts: Sequence[str], model: str | None = "m") -> Sequence[float]:
    with serving(in_turn(as_json(answer))) as server:
        return RerankEndpoint(Wire(server.address, sleep=lambda _: None), model).judge("q", texts)


def test_scores_from_a_server_return_to_the_order_of_the_texts() -> None:
    named = {
        "results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]
    }
    bare = [{"index": 1, "score": 0.9}, {"index": 0, "score": 0.1}]
    assert judge(named, ["a", "b"]) == judge(bare, ["a", "b"], model=None) == [0.1, 0.9]


def test_the_question_has_the_shape_of_the_server() -> None:
    with serving(in_turn(as_json([{"index": 0, "score": 1}]))) as server:
        wire = Wire(server.address)
        RerankEndpoint(wire, "m").judge("q", ["a"])
        RerankEndpoint(wire).judge("q", ["a"])
        assert RerankEndpoint(wire).judge("q", []) == []
    cohere, tei = (asked.question for asked in server.asked)
    assert cohere == {"model": "m", "query": "q", "documents": ["a"], "top_n": 1}
    assert tei == {"query": "q", "texts": ["a"], "truncate": True}
    assert server.asked[0].path == "/v1/rerank"


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([{"index": 0, "score": 1}], "1 scores for 2 texts"),
        ([{"index": 0, "score": 1}, {"index": 7, "score": 1}], "not one for each"),
        (
            [{"index": 0, "score": 1}, {"index": 0, "score": 2}, {"index": 1, "score": 1}],
            "no scores",
        ),
        ([{"index": 0, "score": 1}, {"index": 1, "score": float("nan")}], "not all numbers"),
        ({"results": [{"index": 0}]}, "no scores"),
        ({}, "no scores"),
        (7, "no scores"),
    ],
)
def test_a_server_that_scores_wrongly_is_refused(answer: Any, complaint: str) -> None:
    with pytest.raises(EncoderError, match=complaint):
        judge(answer, ["a", "b"])


def test_maxsim_is_the_mean_of_each_query_word_s_best_match(tmp_path: Path) -> None:
    judge = LateInteraction(OnnxModel(tiny.token_model(tmp_path)))
    assert judge.judge("red green", ["red", "green red", "blue", ""]) == [0.5, 1, -0.5, -1]


def test_maxsim_on_the_real_model_prefers_the_answer(minilm: MiniLM) -> None:
    whales, password, nothing = LateInteraction(minilm).judge("reset my password", PASSAGES)
    assert password > whales + 0.1 > nothing


def test_maxsim_needs_a_model_that_shows_its_tokens(tmp_path: Path) -> None:
    pooled = helper.make_node("ReduceMax", ["rows"], ["sentence"], axes=[1], keepdims=0)
    gather = helper.make_node("Gather", ["table", "input_ids"], ["rows"])
    folder = tiny.model(tmp_path, [gather, pooled], {"sentence": ["texts", 2]}, ["input_ids"])
    with pytest.raises(EncoderError, match="no vectors of tokens"):
        LateInteraction(OnnxModel(folder)).judge("red", ["red"])
