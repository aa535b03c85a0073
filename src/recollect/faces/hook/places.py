"""Where the store is, and where the process that keeps it warm listens. Imports next to nothing."""

import os

from recollect.stores import whereabouts
from recollect.stores.session_files import folder_of

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
    def folder(self) -> str:
        """Where this machine keeps what each session was told."""
        return folder_of(whereabouts.beside(self.store))

    def is_missing(self) -> bool:
        """Known of a file without opening it; a server says so itself."""
        return not whereabouts.is_address(self.store) and not os.path.isfile(self.store)  # noqa: PTH113

    def environment(self) -> dict[str, str]:
        """For a process that serves it: what may hold a password is no word of a command line."""
        return {whereabouts.STORE: self.store, whereabouts.VECTORS: self.vectors}


class Places:
    """The files of a store's one warm process: beside the store, so that whoever finds the store finds
    them too, whatever his environment. The socket's name stands alone, for a socket's path may not be
    long: enter the folder first."""

    socket = ".warm.sock"

    def __init__(self, meant: Meant) -> None:
        self.folder = meant.folder
        self.lock = f"{self.folder}/.warm.lock"
        self.log = f"{self.folder}/.warm.log"

    def enter(self) -> None:
        """Only where nobody else may enter."""
        os.makedirs(self.folder, PRIVATE, exist_ok=True)  # noqa: PTH103
        found = os.lstat(self.folder)
        if found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise PermissionError(f"{self.folder} is not ours alone")
        os.chdir(self.folder)
