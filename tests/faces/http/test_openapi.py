"""The OpenAPI document is true: whatever is sent, the answer is one that it names, and never a 5xx."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from recollect.open import open_library
from tests.faces.http.server import serving

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    place = tmp_path_factory.mktemp("fuzz") / "store.db"
    with open_library(place, model="hashing") as library, serving(library) as client:
        client.post("/notes", {"id": "0", "text": "a note"})
        client.say("e", "0", "an episode", project="0")
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{client.port}/openapi.json")


def test_every_answer_is_one_the_document_names(document: Any) -> None:
    operations = [one.ok() for one in document.get_all_operations()]
    assert len(operations) > 30
    for operation in operations:

        @settings(
            max_examples=20,
            deadline=None,
            derandomize=True,  # a gate must not fall by chance; the wide search is a fuzzer of its own
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            case.call_and_validate(checks=CHECKS)

        ask()


def test_the_document_says_what_an_answer_looks_like(document: Any) -> None:
    answered = document.raw_schema["paths"]["/search"]["post"]["responses"]["200"]
    shape = answered["content"]["application/json"]["schema"]["$ref"]
    assert shape == "#/components/schemas/AnswerShape"


def test_the_document_names_every_address(document: Any) -> None:
    raw = document.raw_schema
    assert {"/search", "/settings", "/episodes/search", "/notes/{note_id}/neighbours"} <= set(
        raw["paths"]
    )
    for path, methods in raw["paths"].items():
        for method, about in methods.items():
            assert "application/problem+json" in about["responses"]["422"]["content"], (
                path,
                method,
            )
