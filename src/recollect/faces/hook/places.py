"""Where the store is, and where the process that keeps it warm listens. Imports next to nothing."""

import os
from zlib import crc32

PRIVATE = 0o700


def store_of(given: str | None) -> str:
    """As `open.store_path` says."""
    chosen = given or os.environ.get("RECOLLECT_STORE")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))  # noqa: PTH100, PTH111
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
    return f"{data}/recollect/recollect.db"


class Places:
    """The files of the one warm process for a store and a model. Their names are short, for a socket's
    path may not be long; that two stores share one is unlikely, and the process refuses the other."""

    def __init__(self, store: str, model: str) -> None:
        key = f"{os.path.realpath(store)}\n{model}".encode("utf-8", "surrogateescape")
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
