"""Names of stores in, checked addresses out; passwords go in and are shown to nobody."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from recollect.model.errors import BadInput
from recollect.open.config import Config, api_key, load_config
from recollect.stores import whereabouts
from recollect.stores.qdrant_address import QdrantAddress

POSTGRES: Final = ("postgres", "postgresql")


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """A file's path, or the address of a server. Its text is fit to be shown."""

    url: str = field(repr=False)
    replica: str | None = field(default=None, repr=False)
    vectors: QdrantAddress | None = None

    def __post_init__(self) -> None:
        if not self.is_file and self.url.partition("://")[0] not in POSTGRES:
            known = ", ".join(f"{scheme}://…" for scheme in POSTGRES)
            scheme = f"{self.url.partition('://')[0]}://…"
            raise BadInput(
                "store", scheme, f"is no address of a store; known: {known}, the path of a file"
            )
        if self.replica is not None and self.is_file:
            raise BadInput("store.replica", "…", "goes with a postgres:// address, not with a file")

    def __str__(self) -> str:
        own = whereabouts.without_password(self.url)
        return f"{own} with vectors in {self.vectors.shown}" if self.vectors else own

    @property
    def is_file(self) -> bool:
        return not whereabouts.is_address(self.url)

    @property
    def path(self) -> Path:
        return Path(self.url)

    def is_same_store(self, other: "StoreAddress") -> bool:
        """Wherever the vectors of the one and the other are."""
        if self.is_file and other.is_file:
            return self.path.resolve() == other.path.resolve()
        return whereabouts.without_password(self.url) == whereabouts.without_password(other.url)

    @property
    def beside(self) -> str:
        return whereabouts.beside(self.url)

    def is_missing(self) -> bool:
        """Known of a file without opening it; a server says so itself."""
        return self.is_file and not self.path.exists()


def store_address(
    given: str | Path | None = None, vectors: str | QdrantAddress | None = None
) -> StoreAddress:
    """What was given, else the environment, else the config file, else a file of the user's own.
    Of vectors as well; `none` leaves them in the store."""
    config = load_config()
    _check_given(given)
    url = whereabouts.store_meant(None if given is None else str(given), config.tables())
    return StoreAddress(url, _replica(url, config), _vectors(vectors, config))


def named_address(url: str | Path, vectors: str | None = None) -> StoreAddress:
    """Exactly this store, whatever the environment says; the config file's other words still hold."""
    config = load_config()
    _check_given(url)
    meant = whereabouts.store_meant(str(url), {})
    own = _qdrant(vectors, config) if vectors and vectors != whereabouts.NONE else None
    return StoreAddress(meant, _replica(meant, config), own)


def _check_given(given: str | Path | None) -> None:
    if given is not None and not str(given):
        raise BadInput("store", given, "is empty; give the path of a file, or leave it out")


def _replica(url: str, config: Config) -> str | None:
    """A replica is the copy of one server, and no other's."""
    return config.store.get("replica") if config.store.get("url") == url else None


def _vectors(given: str | QdrantAddress | None, config: Config) -> QdrantAddress | None:
    if isinstance(given, QdrantAddress):
        return given
    url = whereabouts.vectors_meant(given, config.tables())
    return None if url is None else _qdrant(url, config)


def _qdrant(url: str, config: Config) -> QdrantAddress:
    own = config.vectors
    rest = {name: own[name] for name in _PASSED if name in own}
    return QdrantAddress(url, api_key(own), **rest)


_PASSED: Final = ("timeout", "prefix", "shards", "replicas", "exact_below")
