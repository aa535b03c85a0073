"""Where Qdrant is and how it is spoken to, checked before anything is sent. Pure."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from recollect.model.errors import BadInput

MEMORY: Final = ":memory:"
EXACT_BELOW: Final = 20_000
"""Vectors up to which every one is compared, instead of walking a graph: some milliseconds of work."""


@dataclass(frozen=True, slots=True)
class QdrantAddress:
    """`url` is http(s)://host:port, a folder for the client's local mode, or `:memory:`."""

    url: str
    api_key: str | None = field(default=None, repr=False)
    timeout: int = 5
    """Seconds for one request; the client knows whole ones only."""
    prefix: str = "recollect"
    """What collections' names begin with. A copied store needs another one than its original."""
    shards: int | None = None
    replicas: int | None = None
    exact_below: int = EXACT_BELOW

    def __post_init__(self) -> None:
        if not self.url:
            raise BadInput("vectors", self.url, "is empty; give an address, or leave it out")
        if "://" in self.url:
            self._check_server()
        if not self.prefix.replace("-", "").replace("_", "").isalnum():
            raise BadInput(
                "vectors.prefix", self.prefix, "holds more than letters, digits, - and _"
            )

    def _check_server(self) -> None:
        parts = urlsplit(self.url)
        if parts.username or parts.password:
            raise BadInput(
                "vectors", self.shown, "holds a password; give an API key: vectors.api_key_env"
            )
        if parts.scheme not in ("http", "https"):
            raise BadInput(
                "vectors", self.shown, "is no address of Qdrant; known: http://, https://, a folder"
            )
        if not parts.hostname:
            raise BadInput("vectors", self.shown, "names no host")

    @property
    def remote(self) -> bool:
        return "://" in self.url

    @property
    def shown(self) -> str:
        """Without what comes before an @, whatever it may be."""
        scheme, mark, rest = self.url.partition("://")
        return f"{scheme}{mark}{rest.rpartition('@')[2]}" if mark else self.url
