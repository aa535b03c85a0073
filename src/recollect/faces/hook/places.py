"""Where the store is, and where the process that keeps it warm listens. Imports next to nothing."""

import os
from zlib import crc32

from recollect.stores import whereabouts

PRIVATE = 0o700


class Meant:
    """The store that is meant, and where its vectors are; as `open.addresses` says."""

    def __init__(self, store: str | None, vectors: str | None = None) -> None:
        config = whereabouts.read_config()
        self.store = whereabouts.store_meant(store, config)
        self.vectors = whereabouts.vectors_meant(vectors, config) or whereabouts.NONE

    @property
    def shown(self) -> str:
        return whereabouts.without_password(self.store)

    @property
    def name(self) -> str:
        """Tells it from every other, whatever links lead to the same file."""
        real = self.store if whereabouts.is_address(self.store) else os.path.realpath(self.store)
        return f"{real}\n{self.vectors}"

    def is_missing(self) -> bool:
        """Known of a file without opening it; a server says so itself."""
        here = os.path.exists
        return not whereabouts.is_address(self.store) and not here(self.store)

    def environment(self) -> dict[str, str]:
        """For a process that serves it: what may hold a password is no word of a command line."""
        return {whereabouts.STORE: self.store, whereabouts.VECTORS: self.vectors}


class Places:
    """The files of the one warm process for a store and a model. Their names are short, for a socket's
    path may not be long; that two stores share one is unlikely, and the process refuses the other."""

    def __init__(self, meant: Meant, model: str) -> None:
        key = f"{meant.name}\n{model}".encode("utf-8", "surrogateescape")
        base = f"{_folder()}/{crc32(key):08x}"
        self.socket = f"{base}.sock"
        self.lock = f"{base}.lock"
        self.log = f"{base}.log"


def _folder() -> str:
    """A folder that nobody else may enter."""
    shared = os.environ.get("XDG_RUNTIME_DIR")
    if shared and os.path.isdir(shared):  # noqa: PTH112
        folder = f"{shared}/recollect"
    else:
        folder = f"{os.environ.get('TMPDIR') or '/tmp'}/recollect-{os.getuid()}"  # noqa: S108
    try:
        os.mkdir(folder, PRIVATE)  # noqa: PTH102
    except FileExistsError:
        found = os.lstat(folder)
        if found.st_uid != os.getuid() or found.st_mode & 0o077 or not os.path.isdir(folder):  # noqa: PTH112
            raise PermissionError(f"{folder} is not ours alone") from None
    return folder
