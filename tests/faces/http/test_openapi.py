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


def operations(document: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document.raw_schema["paths"].items():
        for method, about in methods.items():
            yield path, method, about


def whole(schema: dict[str, Any], document: Any) -> dict[str, Any]:
    """The schema itself, where another one only points to it."""
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = document.raw_schema["components"]["schemas"][
        schema["$ref"].rsplit("/", 1)[1]
    ]
    return found


def test_the_document_says_of_every_answer_what_is_in_it(document: Any) -> None:
    """Named fields and no others, or a map whose values have a type; never just any object."""
    for path, method, about in operations(document):
        [answered] = [one for status, one in about["responses"].items() if status.startswith("2")]
        if "application/json" not in answered["content"]:
            assert path == "/metrics"
            continue
        schema = whole(answered["content"]["application/json"]["schema"], document)
        named = schema.get("properties") and schema.get("additionalProperties") is False
        typed_map = isinstance(schema.get("additionalProperties"), dict) and path in (
            "/settings",
            "/settings/sources",
        )
        assert named or typed_map, (method, path, schema)


def test_no_part_of_an_answer_is_left_open(document: Any) -> None:
    parts = document.raw_schema["components"]["schemas"]
    for name in ("AnswerShape", "ResultShape", "TraceShape", "NoteTold", "StatusTold"):
        assert parts[name]["additionalProperties"] is False
        for field, schema in parts[name]["properties"].items():
            assert set(schema) & {"type", "$ref", "anyOf", "enum", "allOf"}, (name, field)


def test_the_document_names_the_token_and_the_problems_of_every_address(document: Any) -> None:
    raw = document.raw_schema
    assert raw["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert {"/search", "/settings", "/episodes/search", "/notes/{note_id}/neighbours"} <= set(
        raw["paths"]
    )
    for path, method, about in operations(document):
        for status in ("401", "403", "422", "429", "503"):
            told = about["responses"][status]["content"]
            assert "application/problem+json" in told, (path, method, status)
