"""Which store is meant, before anything is opened: what was said, else the environment, else the
config file, else a file of the user's own.

It imports next to nothing on purpose: a hook asks it in the milliseconds it has.
"""

import os
from zlib import crc32

TYPE_CHECKING = False  # as typing has it, which takes too long to import
if TYPE_CHECKING:
    from typing import Any

STORE = "RECOLLECT_STORE"
VECTORS = "RECOLLECT_VECTORS"
CONFIG = "RECOLLECT_CONFIG"
NONE = "none"
"""Said instead of an address of vectors: they stay in the store, whatever the config file says."""


def store_meant(given: str | None, config: "dict[str, Any]") -> str:
    """An address as it is; a file as its whole path."""
    chosen = given or os.environ.get(STORE) or _said(config, "store")
    if not chosen:
        return f"{_data()}/recollect/recollect.db"
    if is_address(chosen):
        return chosen
    return os.path.abspath(os.path.expanduser(chosen))  # noqa: PTH100, PTH111


def vectors_meant(given: str | None, config: "dict[str, Any]") -> str | None:
    """None: where the store keeps them itself."""
    chosen = given or os.environ.get(VECTORS) or _said(config, "vectors")
    return None if chosen in (None, "", NONE) else chosen


def is_address(store: str) -> bool:
    return "://" in store


def beside(store: str) -> str:
    """The path next to which this machine keeps what goes with the store. What goes with a server's
    is in a folder of the user's own, under a name that holds no password."""
    if not is_address(store):
        return os.path.abspath(store)  # noqa: PTH100
    return f"{_data()}/recollect/at-{crc32(without_password(store).encode()):08x}"


def without_password(address: str) -> str:
    """Fit to be shown: the user stays, passwords go, before the @ as well as after the ?."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        return address
    scheme = "postgresql" if scheme == "postgres" else scheme
    before, at, place = rest.rpartition("@")  # the last one: a password may hold others
    user = before.partition(":")[0]
    user = "…" if "?" in user or "/" in user else user
    host, _, options = place.partition("?")
    kept = [one for one in options.split("&") if one and "pass" not in one.partition("=")[0]]
    query = f"?{'&'.join(kept)}" if kept else ""
    return f"{scheme}://{user}{at}{host}{query}"


def config_path() -> str:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
    return os.environ.get(CONFIG) or f"{home}/recollect/config.toml"


def read_config() -> "dict[str, Any]":
    """What the config file says, unchecked; nothing where there is none, unless one was named."""
    path = config_path()
    if not os.path.exists(path) and not os.environ.get(CONFIG):  # noqa: PTH110
        return {}
    import tomllib  # noqa: PLC0415  only whoever has such a file waits for it

    with open(path, "rb") as file:  # noqa: PTH123
        try:
            return tomllib.load(file)
        except ValueError as error:
            raise ValueError(f"{path} is not TOML: {error}") from None


def _said(config: "dict[str, Any]", table: str) -> str | None:
    own = config.get(table)
    url = own.get("url") if isinstance(own, dict) else None
    return url if isinstance(url, str) else None


def _data() -> str:
    return os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
