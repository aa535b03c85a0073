"""Where the store is, as `open.store_path` says, told without importing anything heavy."""

import os


def store_of(given: str | None) -> str:
    chosen = given or os.environ.get("RECOLLECT_STORE")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))  # noqa: PTH100, PTH111
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
    return f"{data}/recollect/recollect.db"
