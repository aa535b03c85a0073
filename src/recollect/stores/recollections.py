"""What each session was told, in files beside the store: a Recollection in, the same out."""

import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import numpy as np

from recollect.model.errors import StoreError
from recollect.model.recollection import Late, Memory, Recollection, Topic
from recollect.stores import session_files
from recollect.stores.session_files import Json

FORMAT = 2


class FileRecollections:
    def __init__(self, store: Path) -> None:
        self.folder = session_files.folder_of(str(store))

    def path(self, session: str) -> Path:
        return Path(session_files.path_of(self.folder, session))

    def last(self, session: str) -> Recollection | None:
        return read_json(session_files.read(str(self.path(session))))

    def change(
        self, session: str, change: Callable[[Recollection | None], Recollection]
    ) -> Recollection:
        made: list[Recollection] = []

        def changed(before: Json | None) -> Json:
            made.append(change(read_json(before)))
            return as_json(made[0])

        try:
            session_files.change(self.folder, session, changed)
        except OSError as error:
            raise StoreError(f"{self.path(session)} cannot be written: {error.strerror}") from error
        return made[0]

    @contextmanager
    def turn(self, session: str) -> Iterator[None]:
        try:
            held = session_files.turn_of(self.folder, session)
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be written: {error.strerror}") from error
        try:
            yield
        finally:
            os.close(held)

    def drop(self, session: str) -> None:
        with suppress(OSError):
            self.path(session).unlink(missing_ok=True)

    def sweep(self, older_than: datetime) -> int:
        """Forgets the sessions that were told nothing since."""
        old = [
            path
            for path in Path(self.folder).glob("*.json")
            if path.stat().st_mtime < older_than.timestamp()
        ]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)


def as_json(one: Recollection) -> Json:
    return {
        "format": FORMAT,
        "session": one.session,
        "at": one.at.isoformat(),
        "memories": [
            {
                "id": memory.id,
                "text": memory.text,
                "created_at": memory.created_at.isoformat(),
                "importance": memory.importance,
                "score": memory.score,
                "why": list(memory.why),
            }
            for memory in one.memories
        ],
        "news": list(one.news),
        "given": dict(one.given),
        "late": None if one.late is None else asdict(one.late),
        "topic": _topic_json(one.topic),
    }


def read_json(shape: Json | None) -> Recollection | None:
    """None for a file of another format: it is written anew, as if the session had just begun."""
    if shape is None or shape.get("format") != FORMAT:
        return None
    try:
        return Recollection(
            session=shape["session"],
            at=datetime.fromisoformat(shape["at"]),
            memories=tuple(_memory(one) for one in shape["memories"]),
            news=tuple(shape["news"]),
            given=dict(shape["given"]),
            late=None if shape["late"] is None else Late(**shape["late"]),
            topic=_topic(shape["topic"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _memory(shape: Json) -> Memory:
    return Memory(
        id=shape["id"],
        text=shape["text"],
        created_at=datetime.fromisoformat(shape["created_at"]),
        importance=shape["importance"],
        score=shape["score"],
        why=tuple(shape["why"]),
    )


def _topic_json(topic: Topic | None) -> Json | None:
    if topic is None:
        return None
    return {
        "model": topic.model,
        "vector": b64encode(np.asarray(topic.vector, "<f4").tobytes()).decode(),
    }


def _topic(shape: Json | None) -> Topic | None:
    if shape is None:
        return None
    vector = np.frombuffer(b64decode(shape["vector"]), "<f4")
    return Topic(shape["model"], tuple(vector.tolist()))
