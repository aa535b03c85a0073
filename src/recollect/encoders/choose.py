"""A name in, an embedder or a judge out, not loaded before its first use.

Each is imported only when it is asked for: a search by words waits for no model's library.

Names: auto, minilm, minilm-int8, static, hashing, maxsim; `onnx:` and a folder; an address, with
the model behind a `#`: `https://host/v1#model`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recollect.encoders.cache import cache_dir, is_installed
from recollect.model.errors import BadInput, NotFound
from recollect.ports import Embedder, Judge

if TYPE_CHECKING:
    from recollect.encoders.minilm import MiniLM, Precision

ONNX = "onnx:"
ADDRESSES = ("http://", "https://")
PATTERNS = ("onnx:/folder", "https://host/v1#model")


def _hashing(_: Path | None) -> Embedder:
    from recollect.encoders.hashing import Hashing

    return Hashing()


def _minilm(cache: Path | None, precision: "Precision" = "float32") -> "MiniLM":
    from recollect.encoders.minilm import MiniLM

    return MiniLM(cache, precision)


def _static(_: Path | None) -> Embedder:
    from recollect.encoders.static import Static

    return Static()


LOCAL: Mapping[str, Callable[[Path], Embedder]] = {
    "hashing": _hashing,
    "minilm": _minilm,
    "minilm-int8": lambda cache: _minilm(cache, "int8"),
    "static": _static,
}
JUDGES: "Mapping[str, Precision]" = {"maxsim": "float32", "maxsim-int8": "int8"}


class Serving(NamedTuple):
    """Which embedder answers to a name now, and whether everything it needs is here."""

    asked: str
    name: str
    ready: bool


def embedder(
    name: str = "auto", cache: Path | None = None, key_variable: str | None = None
) -> Embedder:
    cache = cache or cache_dir()
    name = serving(name, cache).name
    if name in LOCAL:
        return LOCAL[name](cache)
    if name.startswith(ONNX):
        from recollect.encoders.onnx_model import OnnxModel

        return OnnxModel(_folder(name))
    return _endpoint(name, key_variable)


def judge(name: str, cache: Path | None = None, key_variable: str | None = None) -> Judge:
    if name in JUDGES:
        from recollect.encoders.late_interaction import LateInteraction

        return LateInteraction(_minilm(cache, JUDGES[name]))
    if name.startswith(ONNX):
        from recollect.encoders.cross_encoder import CrossEncoder

        return CrossEncoder(_folder(name))
    if name.startswith(ADDRESSES):
        return _rerank_endpoint(name, key_variable)
    raise NotFound("judge", name, [*JUDGES, *PATTERNS])


def installed(cache: Path | None = None) -> tuple[Embedder, ...]:
    """Every local model that is ready to be used."""
    place = cache or cache_dir()
    return tuple(make(place) for name, make in LOCAL.items() if serving(name, place).ready)


def serving(name: str = "auto", cache: Path | None = None) -> Serving:
    """Loads nothing and asks nobody: a server is taken to be there."""
    here = is_installed(cache or cache_dir())
    if name == "auto":
        return Serving(name, "minilm" if here else "static", ready=True)
    if name.startswith(ONNX):
        return Serving(name, name, ready=_folder(name).is_dir())
    if name in LOCAL or name.startswith(ADDRESSES):
        return Serving(name, name, ready=here or not name.startswith("minilm"))
    raise NotFound("embedder", name, ["auto", *LOCAL, *PATTERNS])


def _endpoint(name: str, key_variable: str | None) -> Embedder:
    from recollect.encoders.endpoint import Endpoint
    from recollect.encoders.wire import Wire

    address, _, model = name.partition("#")
    if not model:
        raise BadInput("embedder", address, "names no model; write it behind a #, as in …/v1#model")
    return Endpoint(Wire(address, key_variable), model)


def _rerank_endpoint(name: str, key_variable: str | None) -> Judge:
    from recollect.encoders.rerank_endpoint import RerankEndpoint
    from recollect.encoders.wire import Wire

    address, _, model = name.partition("#")
    return RerankEndpoint(Wire(address, key_variable), model or None)


def _folder(name: str) -> Path:
    return Path(name.removeprefix(ONNX)).expanduser()
