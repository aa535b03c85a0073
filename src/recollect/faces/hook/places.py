"""Where the store is, and where the process that keeps it warm listens. Imports next to nothing."""

import os

from recollect.stores.session_files import folder_of

PRIVATE = 0o700


def store_of(given: str | None) -> str:
    """As `open.store_path` says."""
    chosen = given or os.environ.get("RECOLLECT_STORE")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))  # noqa: PTH100, PTH111
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
    return f"{data}/recollect/recollect.db"


class Places:
    """The files of a store's one warm process: beside the store, so that whoever finds the store finds
    them too, whatever his environment. The socket's name stands alone, for a socket's path may not be
    long: enter the folder first."""

    socket = ".warm.sock"

    def __init__(self, store: str) -> None:
        self.folder = folder_of(store)
        self.lock = f"{self.folder}/.warm.lock"
        self.log = f"{self.folder}/.warm.log"

    def enter(self) -> None:
        """Only where nobody else may enter."""
        try:
            os.mkdir(self.folder, PRIVATE)  # noqa: PTH102
        except FileExistsError:
            found = os.lstat(self.folder)
            if found.st_uid != os.getuid() or found.st_mode & 0o077:
                raise PermissionError(f"{self.folder} is not ours alone") from None
        os.chdir(self.folder)
