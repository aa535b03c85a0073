"""Choosing models by name, and loading none of them before it is used."""

import subprocess
import sys
from pathlib import Path

import pytest

from recollect.encoders.cache import minilm_folder
from recollect.encoders.choose import embedder, judge, serving
from recollect.model.errors import BadInput, NotFound
from tests.encoders import tiny

HEAVY = ("wordllama", "tokenizers", "onnxruntime", "onnx", "safetensors", "requests", "http.client")


def test_auto_is_static_until_minilm_is_installed(tmp_path: Path) -> None:
    assert serving("auto", tmp_path).name == "static"
    assert embedder("auto", tmp_path).identity == embedder("static").identity
    minilm_folder(tmp_path).mkdir(parents=True)
    assert serving("auto", tmp_path).name == "minilm"
    assert embedder("auto", tmp_path).identity == embedder("minilm").identity


@pytest.mark.parametrize(
    ("name", "ready"),
    [("minilm", False), ("minilm-int8", False), ("static", True), ("onnx:/nowhere", False)],
)
def test_what_is_not_here_is_not_ready(tmp_path: Path, name: str, ready: bool) -> None:
    assert serving(name, tmp_path) == (name, name, ready)


@pytest.mark.parametrize("name", ["auto", "minilm", "minilm-int8", "static", "hashing"])
def test_every_name_embeds(cache: Path, name: str) -> None:
    model = embedder(name, cache)
    assert model.embed(["a word", ""]).shape == (2, model.dimensions)


def test_a_folder_and_an_address_are_names_too(tmp_path: Path) -> None:
    model = embedder(f"onnx:{tiny.token_model(tmp_path)}")
    assert (model.dimensions, model.may_wait) == (2, False)
    assert embedder("https://host/v1#m").identity == "m at https://host/v1"
    assert embedder("https://host/v1#m").may_wait


def test_an_address_without_a_model_is_refused() -> None:
    with pytest.raises(BadInput, match="names no model"):
        embedder("https://host/v1")


@pytest.mark.parametrize("ask", [embedder, serving])
def test_an_unknown_embedder_is_refused_with_the_known_ones(ask: type) -> None:
    with pytest.raises(NotFound, match=r"no embedder 'minilmm'; known: .*hashing.*minilm.*static"):
        ask("minilmm")


def test_judges_have_names(cache: Path, tmp_path: Path) -> None:
    assert judge("maxsim", cache).judge("red", ["red", ""])[0] == pytest.approx(1, abs=0.01)
    assert judge("maxsim-int8", cache).identity != judge("maxsim", cache).identity
    folder = tiny.token_model(tmp_path)
    assert judge(f"onnx:{folder}").identity.startswith("cross-encoder-")
    assert judge("https://host/v1").identity == "rerank at https://host/v1"
    assert judge("https://host/v1#m").identity == "m at https://host/v1"


def test_an_unknown_judge_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match=r"no judge 'cross'; known: .*maxsim"):
        judge("cross")


def test_naming_models_imports_no_model_library() -> None:
    script = (
        "import sys; from recollect.encoders.choose import embedder, judge, serving\n"
        "serving(); judge('maxsim')\n"
        "[embedder(n).identity for n in ('auto', 'minilm', 'static', 'hashing')]\n"
        f"print(*[name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603  # the script above
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_the_static_model_answers_without_importing_its_package() -> None:
    script = (
        "import sys; from recollect.encoders.static import Static\n"
        "Static().embed(['a word'])\n"
        "print(*[name for name in ('wordllama', 'onnxruntime', 'requests') if name in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603  # the script above
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
