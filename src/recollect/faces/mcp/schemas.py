"""What each tool takes, as JSON Schema. Unknown arguments are refused, never ignored."""

from typing import Any, Final

from recollect.engine.remember import LINK_KINDS

Schema = dict[str, Any]


def _object(required: list[str], **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _text(about: str, longest: int = 1_000, least: int = 1) -> Schema:
    return {"type": "string", "minLength": least, "maxLength": longest, "description": about}


def _number(about: str, low: int, high: int, usual: int) -> Schema:
    return {
        "type": "integer",
        "minimum": low,
        "maximum": high,
        "default": usual,
        "description": about,
    }


ID: Final = _text("a note's id, or its path")
QUERY: Final = _text("what to look for, in plain words", 200_000)
LIMIT: Final = _number("how many at most", 1, 100, 10)
TOKENS: Final = _number("the text of the answer stays within so many tokens", 100, 50_000, 1_000)
PROJECT: Final = _text("only memories of this project")
TAGS: Final[Schema] = {
    "type": "array",
    "items": _text("a tag"),
    "maxItems": 50,
    "description": "only notes that have all of these tags",
}
SINCE: Final = _text(
    "only notes changed since: a date such as 2026-01-31, or an age: 3d, 2w, 6m, 1y"
)
BEFORE: Final = _text("only notes changed before: a date or an age")
SORT: Final[Schema] = {
    "enum": ["relevance", "recency", "importance"],
    "default": "relevance",
    "description": "the order of what is found",
}
MODE: Final[Schema] = {
    "enum": ["auto", "bm25", "semantic", "hybrid"],
    "default": "auto",
    "description": "by words (bm25), by meaning (semantic) or both",
}

SEARCH: Final = _object(
    ["query"],
    query=QUERY,
    limit=LIMIT,
    sort_by=SORT,
    mode=MODE,
    project=PROJECT,
    tags=TAGS,
    since=SINCE,
    before=BEFORE,
    max_tokens=TOKENS,
)
GET: Final = _object(["id"], id=ID, max_tokens=TOKENS | {"default": 4_000})
REMEMBER: Final = _object(
    ["text"],
    text=_text("what to remember: one fact, decision or event, complete in itself", 100_000),
    title=_text("a short name for it"),
    importance={
        "anyOf": [
            {"type": "number", "minimum": 0, "maximum": 1},
            {"enum": ["low", "medium", "high"]},
        ],
        "default": "medium",
        "description": "0 to 1, or low, medium, high; high is for what must not be missed",
    },
    tags=TAGS | {"description": "tags to find it by"},
    project=PROJECT | {"description": "the project it belongs to"},
    session=_text("the conversation it comes from"),
    links={
        "type": "array",
        "maxItems": 50,
        "items": _object(
            ["target", "kind"], target=_text("a note's id"), kind={"enum": [*LINK_KINDS]}
        ),
        "description": "how it stands to other notes",
    },
    distinct={
        "type": "boolean",
        "default": False,
        "description": "store it for itself even if it is like a memory that is there",
    },
)
FORGET: Final = _object(
    [],
    ids={"type": "array", "items": ID, "minItems": 1, "maxItems": 1_000},
    query=_text("every note that holds all these words"),
    confirm=_text("the code that the preview gave"),
) | {"oneOf": [{"required": ["ids"]}, {"required": ["query"]}]}
RECENT: Final = _object(
    [], limit=LIMIT, project=PROJECT, tags=TAGS, since=SINCE, before=BEFORE, max_tokens=TOKENS
)
WHY: Final = _object(
    ["query"], query=QUERY, id=ID, project=PROJECT, limit=LIMIT | {"default": 3}, max_tokens=TOKENS
)
STATUS: Final = _object([])
