"""Where a copy may be written: a path in, the same path out, or what speaks against it."""

from pathlib import Path

from recollect.model.errors import BadInput

HEAD = 100  # bytes in which both kinds of copy say what they are


def target_of(given: Path, store: str, mark: bytes) -> Path:
    """An older copy, known by its mark, may be replaced; whatever else is there already may not."""
    path = given.expanduser().resolve()
    if path.is_dir():
        raise BadInput("target", str(given), "is a folder; give the path of a file")
    if not path.exists():
        return path
    if Path(store).exists() and path.samefile(store):
        raise BadInput("target", str(given), "is the store itself; give another path")
    if not path.is_file():
        raise BadInput("target", str(given), "is no plain file; give the path of one")
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head and mark not in head:
        raise BadInput("target", str(given), "is a file of another kind; move it away first")
    return path
