"""An agent's transcript (JSON Lines) in; its turns out: what was asked and what was answered. Pure."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    """`id` is the question's own in the transcript, so that a turn read twice is the same turn."""

    id: str
    asked: str
    answered: str = ""
    at: datetime | None = None

    @property
    def text(self) -> str:
        return f"{self.asked}\n\n{self.answered}".strip()


def turns_of(lines: Iterable[str]) -> list[Turn]:
    """Finished turns, oldest first. Lines that cannot be read and what tools said are left out."""
    turns: list[Turn] = []
    for entry in _entries(lines):
        text = _text_of(entry)
        if not text:
            continue
        if entry["type"] == "user":
            turns.append(Turn(str(entry.get("uuid") or len(turns)), text, at=_moment(entry)))
        elif turns:
            last = turns[-1]
            turns[-1] = replace(last, answered=f"{last.answered}\n\n{text}".strip())
    return [turn for turn in turns if turn.answered]


def _entries(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # the last line may still be in the writing
        if (
            isinstance(entry, dict)
            and entry.get("type") in ("user", "assistant")
            and not entry.get("isMeta")
            and not entry.get("isSidechain")
        ):
            yield entry


def _text_of(entry: dict[str, Any]) -> str:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    texts = (
        part.get("text")
        for part in content
        if isinstance(part, dict) and part.get("type") == "text"
    )
    return "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())


def _moment(entry: dict[str, Any]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(entry.get("timestamp")))
    except ValueError:
        return None
    return moment if moment.tzinfo else None
