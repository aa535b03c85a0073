"""A rerank endpoint: a query and texts in, one score a text out, over HTTP.

With a model's name the question has the shape of Cohere and Jina. A server of one model, which
needs no name, is asked in the shape of text-embeddings-inference.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from recollect.encoders.wire import Wire
from recollect.model.errors import EncoderError


class RerankEndpoint:
    may_wait = True

    def __init__(self, wire: Wire, model: str | None = None) -> None:
        self._wire = wire
        self._model = model
        self.identity = f"{model or 'rerank'} at {wire.address}"

    def judge(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        if not texts:
            return []
        answer = self._wire.post("/rerank", self._question(query, texts))
        try:
            scores = _scores(answer)
        except (KeyError, TypeError, ValueError) as broken:
            raise self._wrong(f"no scores ({type(broken).__name__})") from broken
        if sorted(scores) != list(range(len(texts))):
            raise self._wrong(f"{len(scores)} scores for {len(texts)} texts, or not one for each")
        if not all(map(isfinite, scores.values())):
            raise self._wrong("scores that are not all numbers")
        return [scores[n] for n in range(len(texts))]

    def _question(self, query: str, texts: Sequence[str]) -> Mapping[str, Any]:
        if self._model is None:
            return {"query": query, "texts": list(texts), "truncate": True}
        documents = {"documents": list(texts), "top_n": len(texts)}
        return {"model": self._model, "query": query, **documents}

    def _wrong(self, what: str) -> EncoderError:
        return EncoderError(f"{self._wire.address} was asked to rerank and answered with {what}")


def _scores(answer: Any) -> dict[int, float]:
    """Positions and scores from either shape; the items come in any order."""
    items = answer if isinstance(answer, list) else answer["results"]
    name = "score" if isinstance(answer, list) else "relevance_score"
    scores = {int(item["index"]): float(item[name]) for item in items}
    if len(scores) != len(items):
        raise ValueError("a text was scored twice")
    return scores
