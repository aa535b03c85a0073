"""A model's folder in, a short digest of everything that shapes its answers out."""

from hashlib import blake2b, file_digest
from pathlib import Path

from recollect.encoders.session import GRAPH, TOKENIZER
from recollect.model.errors import EncoderError


def fingerprint(folder: Path) -> str:
    """Every file counts, since weights may lie beside the graph under any name."""
    for needed in (GRAPH, TOKENIZER):
        if not (folder / needed).is_file():
            raise EncoderError(f"{folder} is no model's folder: it needs a file {needed}")
    whole = blake2b(digest_size=12)
    for path in sorted(each for each in folder.iterdir() if each.is_file()):
        with path.open("rb") as file:
            whole.update(path.name.encode() + file_digest(file, "blake2b").digest())
    return whole.hexdigest()
