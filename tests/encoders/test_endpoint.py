"""Embeddings over HTTP, from a real server that misbehaves."""

from typing import Any

import numpy as np
import pytest

from recollect.encoders.endpoint import Endpoint
from recollect.encoders.wire import Wire
from recollect.model.errors import BadInput, EncoderError
from tests.encoders.server import Answer, Respond, as_json, in_turn, serving

KEY = "sk-very-secret"
ENVIRONMENT = {"MY_KEY": KEY}


def lengths(question: Any) -> Answer:
    """Each text's vector: its length, and 1. The items come last first, as a server may send them."""
    items = [{"index": n, "embedding": [len(t), 1.0]} for n, t in enumerate(question["input"])]
    return as_json({"data": items[::-1]})


class Waits(list[float]):
    """A sleep that takes no time and remembers how long it would have been."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def embed(respond: Respond, texts: list[str], waits: Waits | None = None) -> Any:
    with serving(respond) as server:
        wire = Wire(server.address, "MY_KEY", 5, Waits() if waits is None else waits, ENVIRONMENT)
        return Endpoint(wire, "m").embed(texts)


def test_texts_become_unit_vectors_in_their_own_order() -> None:
    vectors = embed(lengths, ["abc", "", "a"])
    assert np.allclose(vectors[0], np.array([3, 1]) / np.sqrt(10))
    assert not vectors[1].any()
    assert np.allclose(vectors[2], np.array([1, 1]) / np.sqrt(2))


def test_the_question_names_model_and_key_and_comes_in_batches() -> None:
    seen: list[tuple[int, int]] = []
    with serving(lengths) as server:
        wire = Wire(server.address + "/", "MY_KEY", environment=ENVIRONMENT)
        endpoint = Endpoint(wire, "m", batch=2)
        assert endpoint.dimensions == 2
        endpoint.embed(["a", " ", "b", "c"], lambda done, total: seen.append((done, total)))
    assert [asked.path for asked in server.asked] == ["/v1/embeddings"] * 3
    assert [asked.question["input"] for asked in server.asked[1:]] == [["a", "b"], ["c"]]
    assert {asked.question["model"] for asked in server.asked} == {"m"}
    assert {asked.key for asked in server.asked} == {f"Bearer {KEY}"}
    assert seen == [(2, 3), (3, 3)]


def test_without_a_key_variable_no_key_is_sent() -> None:
    with serving(lengths) as server:
        Endpoint(Wire(server.address), "m").embed(["a"])
    assert {asked.key for asked in server.asked} == {None}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again_after_longer_and_longer_waits(status: int) -> None:
    waits = Waits()
    trouble = as_json({"error": "busy"}, status)
    assert embed(in_turn(trouble, trouble, lengths), ["a"], waits).any()
    assert waits == [0.5, 1.0]


def test_the_wait_a_server_asks_for_is_kept() -> None:
    waits = Waits()
    assert embed(in_turn(as_json({}, 429, Retry_After="7"), lengths), ["a"], waits).any()
    assert waits == [7.0]


def test_a_wait_past_all_patience_is_not_begun() -> None:
    waits = Waits()
    with pytest.raises(EncoderError, match="asks to wait 3600 s"):
        embed(in_turn(as_json({}, 429, Retry_After="3600")), ["a"], waits)
    assert waits == []


def test_a_date_to_retry_after_gets_the_usual_wait() -> None:
    waits = Waits()
    date = "Wed, 21 Oct 2015 07:28:00 GMT"
    assert embed(in_turn(as_json({}, 503, Retry_After=date), lengths), ["a"], waits).any()
    assert waits == [0.5]


def test_attempts_are_bounded() -> None:
    with serving(in_turn(as_json({"error": "down"}, 500))) as server:
        wire = Wire(server.address, sleep=Waits())
        with pytest.raises(EncoderError, match=r"/v1/embeddings failed 4 times: status 500 .*down"):
            Endpoint(wire, "m").embed(["a"])
    assert len(server.asked) == 4


def test_a_server_that_is_not_there_is_named() -> None:
    with serving(lengths) as server:
        pass
    with pytest.raises(EncoderError, match=r"127\.0\.0\.1:\d+/v1/embeddings failed 4 times"):
        Endpoint(Wire(server.address, sleep=Waits()), "m").embed(["a"])


def test_a_slow_server_is_given_up_on() -> None:
    slow = Answer(b"{}", delay=0.4)
    with serving(in_turn(slow)) as server:
        wire = Wire(server.address, timeout=0.05, sleep=Waits())
        with pytest.raises(EncoderError, match="timed out"):
            Endpoint(wire, "m").embed(["a"])


def test_a_refusal_is_not_tried_again_and_points_at_the_key() -> None:
    with serving(in_turn(as_json({"error": "bad key"}, 401))) as server:
        wire = Wire(server.address, "MY_KEY", sleep=Waits(), environment=ENVIRONMENT)
        with pytest.raises(EncoderError, match=r"refused: status 401 .*bad key.*check \$MY_KEY"):
            Endpoint(wire, "m").embed(["a"])
    assert len(server.asked) == 1


def test_a_redirect_is_not_followed_with_the_key() -> None:
    with serving(lengths) as elsewhere:
        away = as_json({}, 307, Location=elsewhere.address + "/embeddings")
        with pytest.raises(EncoderError, match="status 307"):
            embed(in_turn(away), ["a"])
    assert elsewhere.asked == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"data": []}, "0 vectors for 1 texts"),
        ({"data": [{"index": 1, "embedding": [1]}]}, "not one for each"),
        ({"data": [{"index": 0}]}, "no list of equally long vectors"),
        ({"data": [{"index": 0, "embedding": ["x"]}]}, "no list of equally long vectors"),
        ({"data": [{"index": 0, "embedding": [None]}]}, "no list of equally long|not all numbers"),
        ({"data": [{"index": 0, "embedding": []}]}, "empty or not all numbers"),
        ({"data": None}, "no list of equally long vectors"),
        (["what"], "no list of equally long vectors"),
    ],
)
def test_an_answer_of_the_wrong_shape_is_refused(content: Any, complaint: str) -> None:
    with pytest.raises(EncoderError, match=complaint):
        embed(in_turn(as_json(content)), ["a"])


def test_vectors_of_another_size_than_before_are_refused() -> None:
    other = as_json({"data": [{"index": 0, "embedding": [1, 2, 3]}]})
    with pytest.raises(EncoderError, match="3 dimensions, not 2"):
        embed(in_turn(lengths, other), ["a"])


def test_an_answer_that_is_no_json_is_shown() -> None:
    with pytest.raises(EncoderError, match="answered no JSON: '<html>"):
        embed(in_turn(Answer(b"<html>hello</html>")), ["a"])


@pytest.mark.parametrize(
    "answer",
    [
        as_json({"error": f"the key {KEY} is wrong"}, 401),
        as_json({"error": f"the key {KEY} is tired"}, 500),
        Answer(f"not json: {KEY}".encode()),
    ],
)
def test_a_key_that_the_server_repeats_is_hidden(answer: Answer) -> None:
    with pytest.raises(EncoderError) as raised:
        embed(in_turn(answer), ["a"])
    assert KEY not in str(raised.value)
    assert "***" in str(raised.value)


def test_a_key_is_in_no_repr_and_no_identity() -> None:
    wire = Wire("https://host/v1", "MY_KEY", environment=ENVIRONMENT)
    endpoint = Endpoint(wire, "m")
    assert KEY not in f"{wire!r} {endpoint!r} {endpoint.identity} {vars(endpoint)}"


def test_a_missing_key_names_its_variable() -> None:
    wire = Wire("http://127.0.0.1:9/v1", "MY_KEY", environment={})
    with pytest.raises(EncoderError, match=r"\$MY_KEY, which is not set"):
        Endpoint(wire, "m").embed(["a"])


def test_a_key_with_a_line_break_inside_is_refused_unseen() -> None:
    wire = Wire("http://127.0.0.1:9/v1", "MY_KEY", environment={"MY_KEY": "sk-a\nsk-b"})
    with pytest.raises(EncoderError, match=r"\$MY_KEY holds something") as raised:
        Endpoint(wire, "m").embed(["a"])
    assert "sk-" not in str(raised.value)


@pytest.mark.parametrize("address", ["host/v1", "ftp://host", "https://", "http://host:port/v1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="must look like"):
        Wire(address)


def test_a_password_in_an_address_is_refused_and_not_shown() -> None:
    with pytest.raises(BadInput, match="carries a name or password") as raised:
        Wire("https://me:hush@host/v1")
    assert "hush" not in str(raised.value)


def test_identity_names_model_and_server() -> None:
    one, other = (Endpoint(Wire(f"https://{host}/v1"), "m").identity for host in ("a", "b"))
    assert one == "m at https://a/v1" != other
