"""What each tool's structured result holds, as JSON Schema. A result that a tool refuses holds `error`
instead, and is marked as one."""

from typing import Any, Final, get_args

from recollect.model.answer import Degraded

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
TEXT_OR_NONE: Final[Schema] = {"type": ["string", "null"]}
NUMBER: Final[Schema] = {"type": "number"}
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
IDS: Final[Schema] = {"type": "array", "items": TEXT}
SHARE: Final[Schema] = {"type": ["number", "null"]}


def _shape(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _many(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _by_name(item: Schema) -> Schema:
    return {"type": "object", "additionalProperties": item}


LEG: Final = _shape(
    rank={"type": "integer", "minimum": 1}, score=NUMBER, weight=NUMBER, contribution=NUMBER
)
RESULT: Final = _shape(
    id=TEXT,
    note_id=TEXT,
    path=TEXT,
    title=TEXT,
    snippet=TEXT,
    score=NUMBER,
    score_normalised=NUMBER,
    rank={"type": "integer", "minimum": 1},
    legs=_by_name(LEG),
    adjustments=_many({"type": "object", "required": ["name", "why"]}),
)
DEGRADATION: Final = _shape(part=TEXT, code={"enum": list(get_args(Degraded))}, why=TEXT)
ANSWER: Final = _shape(
    results=_many(RESULT),
    took_ms=NUMBER,
    degraded=_many(DEGRADATION),
    trace={"type": "object"},
)
NOTE: Final = _shape(
    id=TEXT,
    space=TEXT,
    text=TEXT,
    title=TEXT,
    path=TEXT,
    importance={"type": "number", "minimum": 0, "maximum": 1},
    tags=_many(TEXT),
    links=_many(_shape(target=TEXT, kind=TEXT)),
    project=TEXT_OR_NONE,
    session=TEXT_OR_NONE,
    created_at=TEXT,
    modified_at=TEXT,
)

SEARCH: Final = ANSWER
GET: Final = NOTE | {
    "properties": NOTE["properties"] | {"backlinks": IDS},
    "required": [*NOTE["required"], "backlinks"],
}
REMEMBER: Final = _shape(
    outcome={"enum": ["inserted", "duplicate", "supersedes"]},
    note_id=TEXT,
    other=TEXT_OR_NONE,
    cosine=SHARE,
    overlap=SHARE,
    embedded={"type": "boolean"},
)
FORGET: Final[Schema] = {
    "type": "object",
    "properties": {"would_forget": IDS, "confirm": TEXT, "forgotten": IDS},
    "anyOf": [{"required": ["would_forget"]}, {"required": ["forgotten"]}],
}
RECENT: Final = _shape(notes=_many(NOTE))
WHY: Final[Schema] = {
    "type": "object",
    "anyOf": [
        ANSWER,
        _shape(note_id=TEXT, reasons=_many(TEXT), result={"type": ["object", "null"]}),
    ],
}
STATUS: Final = _shape(
    spaces=_many(TEXT),
    project=TEXT_OR_NONE,
    notes=COUNT,
    waiting=COUNT,
    model=TEXT_OR_NONE,
    model_ready={"type": "boolean"},
)
