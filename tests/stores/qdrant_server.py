"""A small HTTP server that speaks the part of Qdrant's REST interface the store uses, over Qdrant's
own engine; and that refuses, hangs, fails, breaks off or talks nonsense when it is told to."""

import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import qdrant_edge as edge

Json = dict[str, Any]
Mood = Literal["well", "failing", "hanging", "breaking off", "talking nonsense", "answering empty"]


class Missing(Exception):
    pass


class Engine:
    """Collections by name, each a shard on the disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shards: dict[str, edge.EdgeShard] = {}
        self._made: dict[str, Json] = {}
        self.turn = threading.Lock()

    def shard(self, name: str) -> edge.EdgeShard:
        if name not in self._shards:
            raise Missing(f"Not found: Collection `{name}` doesn't exist!")
        return self._shards[name]

    def names(self) -> list[str]:
        return sorted(self._shards)

    def create(self, name: str, wanted: Json) -> bool:
        size = wanted["vectors"]["size"]
        assert wanted["vectors"]["distance"] == "Cosine"
        place = self._folder / f"{name}-{len(self._made)}"
        place.mkdir()
        params = edge.EdgeVectorParams(size=size, distance=edge.Distance.Cosine)
        self._shards[name] = edge.EdgeShard.create(str(place), edge.EdgeConfig(vectors=params))
        self._made[name] = wanted
        return True

    def drop(self, name: str) -> bool:
        self.shard(name).close()
        del self._shards[name]
        return True

    def info(self, name: str) -> Json:
        self.shard(name)
        wanted = self._made[name]
        return {
            "status": "green",
            "optimizer_status": "ok",
            "segments_count": 1,
            "payload_schema": {},
            "config": {
                "params": {"vectors": wanted["vectors"]},
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000},
                "optimizer_config": {
                    "deleted_threshold": 0.2,
                    "vacuum_min_vector_number": 1000,
                    "default_segment_number": 0,
                    "flush_interval_sec": 5,
                },
                "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
                "metadata": wanted.get("metadata"),
            },
        }

    def index(self, name: str, wanted: Json) -> Json:
        schema = wanted["field_schema"]
        keyword = isinstance(schema, dict) and schema["type"] == "keyword"
        kind = edge.PayloadSchemaType.Keyword if keyword else edge.PayloadSchemaType.Integer
        made = edge.UpdateOperation.create_field_index(wanted["field_name"], kind)
        self.shard(name).update(made)
        return {"operation_id": 1, "status": "completed"}

    def change(self, name: str, operations: list[Json]) -> list[Json]:
        for one in operations:
            self.shard(name).update(_operation(one))
        return [{"operation_id": 1, "status": "completed"} for _ in operations]

    def query(self, name: str, asked: Json) -> Json:
        query = asked["query"]
        vector = query["nearest"] if isinstance(query, dict) else query
        found = self.shard(name).query(
            edge.QueryRequest(
                limit=asked["limit"],
                query=edge.Query.Nearest(vector),
                filter=_filter(asked.get("filter")),
                params=edge.SearchParams(exact=(asked.get("params") or {}).get("exact", False)),
                with_payload=True,
            )
        )
        return {"points": [{**_point(one), "score": one.score, "version": 0} for one in found]}

    def scroll(self, name: str, asked: Json) -> Json:
        offset = asked.get("offset")
        found, after = self.shard(name).scroll(
            edge.ScrollRequest(
                limit=asked["limit"],
                offset=UUID(offset) if offset else None,
                filter=_filter(asked.get("filter")),
                with_payload=True,
            )
        )
        return {"points": [_point(one) for one in found], "next_page_offset": after and str(after)}

    def retrieve(self, name: str, asked: Json) -> list[Json]:
        ids = asked["ids"]
        found = self.shard(name).retrieve(ids, with_payload=True, with_vector=True)
        return [{**_point(one), "vector": one.vector} for one in found]

    def count(self, name: str) -> Json:
        return {"count": self.shard(name).count(edge.CountRequest(exact=True))}


def _point(one: Any) -> Json:
    return {"id": str(one.id), "payload": one.payload}


def _operation(said: Json) -> edge.UpdateOperation:
    if "upsert" in said:
        points = [
            edge.Point(UUID(one["id"]), one["vector"], one["payload"])
            for one in said["upsert"]["points"]
        ]
        return edge.UpdateOperation.upsert_points(points)
    if "delete" in said:
        return edge.UpdateOperation.delete_points([UUID(one) for one in said["delete"]["points"]])
    own = said["set_payload"]
    return edge.UpdateOperation.set_payload(own["points"], own["payload"])


def _filter(said: Json | None) -> edge.Filter | None:
    if not said:
        return None
    must, should, must_not = (
        [_condition(one) for one in said[name]] if said.get(name) else None
        for name in ("must", "should", "must_not")
    )
    return edge.Filter(must, should, must_not)


def _condition(said: Json) -> Any:
    if "key" not in said:
        return _filter(said)
    if said.get("match"):
        return edge.FieldCondition(said["key"], match=edge.MatchAny(said["match"]["any"]))
    limits = {name: said["range"].get(name) for name in ("gte", "lt")}
    return edge.FieldCondition(said["key"], range=edge.RangeFloat(**limits))


class _Handler(BaseHTTPRequestHandler):
    server: "QdrantServer"
    protocol_version = "HTTP/1.1"

    def _handle(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        self.server.requests.append(f"{self.command} {self.path}")
        if self.command == "PUT" and "/points" in self.path:
            self.server.before_upsert()
        if self.server.mood == "hanging":
            self.server.released.wait()
        if self.server.api_key and self.headers.get("api-key") != self.server.api_key:
            self._answer(403, b'{"status": {"error": "forbidden"}}')
            return
        if self.server.mood == "well":
            self._answer(*self._done(body))
        else:
            self._misbehave()

    do_GET = do_PUT = do_POST = do_DELETE = _handle  # noqa: N815

    def _done(self, body: Json) -> tuple[int, bytes]:
        try:
            with self.server.engine.turn:
                result = self._routed(body)
        except Missing as error:
            return 404, json.dumps({"status": {"error": str(error)}}).encode()
        except Exception as error:  # told to whoever asked, for a test to show
            return 500, json.dumps({"status": {"error": repr(error)}}).encode()
        return 200, json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()

    def _routed(self, body: Json) -> Any:
        engine = self.server.engine
        parts = self.path.partition("?")[0].strip("/").split("/")
        assert parts[0] == "collections", self.path
        if len(parts) == 1:
            return {"collections": [{"name": name} for name in engine.names()]}
        name, rest = parts[1], "/".join(parts[2:])
        routes: dict[tuple[str, str], Callable[[], Any]] = {
            ("GET", ""): lambda: engine.info(name),
            ("GET", "exists"): lambda: {"exists": name in engine.names()},
            ("PUT", ""): lambda: engine.create(name, body),
            ("DELETE", ""): lambda: engine.drop(name),
            ("PUT", "index"): lambda: engine.index(name, body),
            ("PUT", "points"): lambda: engine.change(name, [{"upsert": body}])[0],
            ("POST", "points"): lambda: engine.retrieve(name, body),
            ("POST", "points/query"): lambda: engine.query(name, body),
            ("POST", "points/scroll"): lambda: engine.scroll(name, body),
            ("POST", "points/count"): lambda: engine.count(name),
            ("POST", "points/batch"): lambda: engine.change(name, body["operations"]),
        }
        return routes[self.command, rest]()

    def _misbehave(self) -> None:
        mood = self.server.mood
        if mood == "failing":
            self._answer(500, b'{"status": {"error": "out of order"}}')
        elif mood == "talking nonsense":
            self._answer(200, b"<html>It works!</html>")
        elif mood == "answering empty":
            self._answer(200, b'{"result": null, "status": "ok", "time": 0.0}')
        else:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"result": {"poi')
            self.close_connection = True

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


class QdrantServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder: Path, api_key: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.engine = Engine(folder)
        self.api_key = api_key
        self.mood: Mood = "well"
        self.released = threading.Event()
        self.requests: list[str] = []
        self.before_upsert: Callable[[], None] = lambda: None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A caller that has left is no news."""


@contextmanager
def serving(api_key: str = "") -> Iterator[QdrantServer]:
    with tempfile.TemporaryDirectory() as folder:
        server = QdrantServer(Path(folder), api_key)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            server.shutdown()
            server.server_close()
            thread.join()
