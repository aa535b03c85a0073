"""Which store is meant, in which order, and what is said of an address that cannot be used."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.model.errors import BadInput, StoreError
from recollect.open import open_library
from recollect.open.addresses import named_address, store_address
from recollect.open.config import config_of
from recollect.stores import whereabouts

Configured = Callable[[str], Path]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RECOLLECT_STORE", "RECOLLECT_VECTORS", "RECOLLECT_CONFIG", "QDRANT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


@pytest.fixture
def config(home: Path) -> Configured:
    def write(text: str) -> Path:
        path = home / ".config/recollect/config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_what_is_said_comes_first_then_the_environment_then_the_config_then_ones_own_file(
    home: Path, config: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store_address().path == home / ".local/share/recollect/recollect.db"
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    assert store_address().path == home / "data/recollect/recollect.db"
    config('[store]\nurl = "~/config.db"')
    assert store_address().path == home / "config.db"
    monkeypatch.setenv("RECOLLECT_STORE", "~/env.db")
    assert store_address().path == home / "env.db"
    assert store_address("~/given.db").path == home / "given.db"
    assert named_address("~/given.db").path == home / "given.db"


def test_vectors_are_found_in_the_same_order_and_none_leaves_them_in_the_store(
    config: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store_address("a.db").vectors is None
    config('[vectors]\nurl = "http://config:6333"\ntimeout = 9\nprefix = "mine"\nreplicas = 2')
    said = store_address("a.db").vectors
    assert said
    assert (said.url, said.timeout, said.prefix, said.replicas) == (
        "http://config:6333",
        9,
        "mine",
        2,
    )
    monkeypatch.setenv("RECOLLECT_VECTORS", "http://env:6333")
    assert str(store_address("a.db")).endswith("vectors in http://env:6333")
    assert str(store_address("a.db", "http://said:1")).endswith("vectors in http://said:1")
    assert store_address("a.db", "none").vectors is None
    assert named_address("a.db").vectors is None


def test_the_config_file_may_be_elsewhere_and_must_be_there_then(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)  # a path of any length is shown, but a long one is cut
    monkeypatch.setenv("RECOLLECT_CONFIG", "other.toml")
    with pytest.raises(BadInput, match=r"other.toml.*No such file"):
        store_address()
    (home / "other.toml").write_text('[store]\nurl = "/srv/x.db"')
    assert store_address().path == Path("/srv/x.db")
    (home / "other.toml").write_text("[store")
    with pytest.raises(BadInput, match=r"other.toml.*TOML"):
        store_address()


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"stores": {}}, r"\[stores\].*known: store, vectors"),
        ({"store": "x.db"}, "store.*no table"),
        ({"store": {"uri": "x"}}, "store.uri.*known: url, replica"),
        ({"store": {"url": 5}}, "config.store.url.*5.*text"),
        ({"store": {"url": ""}}, "config.store.url"),
        ({"vectors": {"timeout": 0}}, "config.vectors.timeout.*0.*from 1 to 600"),
        ({"vectors": {"timeout": "5"}}, "config.vectors.timeout"),
        ({"vectors": {"key": "k"}}, "vectors.key.*api_key_env"),
    ],
)
def test_a_wrong_key_or_value_is_named(said: dict[str, object], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        config_of(said)


def test_a_wrong_api_key_is_not_repeated() -> None:
    with pytest.raises(BadInput) as raised:
        config_of({"vectors": {"api_key": ["s3cret"]}})
    assert "s3cret" not in str(raised.value)


def test_an_api_key_comes_from_the_variable_that_is_named(
    config: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    config('[vectors]\nurl = "https://q:6333"\napi_key_env = "MY_KEY"')
    with pytest.raises(BadInput, match="MY_KEY"):
        store_address("a.db")
    monkeypatch.setenv("MY_KEY", "s3cret")
    address = store_address("a.db")
    assert address.vectors
    assert address.vectors.api_key == "s3cret"
    assert "s3cret" not in f"{address} {address!r}"


@pytest.mark.parametrize(
    "wrong", ["mysql://u:s3cret@host/db", "sqlite:///x.db", "http://u:s3cret@host"]
)
def test_another_scheme_is_refused_with_the_known_ones_and_without_its_password(wrong: str) -> None:
    with pytest.raises(BadInput, match="postgres://…, postgresql://…") as raised:
        store_address(wrong)
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("wrong", ["ftp://host", "http://u:s3cret@host:6333", "http://", ""])
def test_a_wrong_address_of_vectors_is_refused(wrong: str) -> None:
    if wrong:
        with pytest.raises(BadInput, match="vectors") as raised:
            store_address("a.db", wrong)
        assert "s3cret" not in str(raised.value)
    else:
        assert store_address("a.db", wrong).vectors is None


def test_an_empty_name_is_refused() -> None:
    with pytest.raises(BadInput, match="path of a file"):
        store_address("")


def test_an_address_is_shown_without_its_password(config: Configured) -> None:
    config('[store]\nurl = "postgres://me:s3cret@db:5432/notes"\nreplica = "postgres://r/notes"')
    address = store_address()
    assert str(address) == "postgresql://me@db:5432/notes"
    assert "s3cret" not in repr(address)
    assert address.replica == "postgres://r/notes"
    assert store_address("postgres://other/notes").replica is None
    asked = store_address("postgres:///notes?host=/run&password=s3cret&sslpassword=s3cret")
    assert str(asked) == "postgresql:///notes?host=/run"
    with pytest.raises(BadInput, match="replica"):
        named_address("x.db").__class__("x.db", "postgres://r/notes")


@pytest.mark.parametrize(
    "address",
    [
        "postgres://me:s3cret@db/notes",
        "postgres://me:s3c?ret@db/notes",
        "postgres://me:s3c@ret@db/notes",
        "postgres://me:s3c/ret@db/notes",
        "postgres://me:s3c:ret@db/notes",
        "postgres://db/notes?password=s3cret",
        "postgres://db/notes?password=s3c@ret",
        "postgres://db/notes?sslmode=require&password=s3cret&application_name=a@b",
    ],
)
def test_no_part_of_a_password_is_ever_shown(address: str) -> None:
    assert "s3c" not in whereabouts.without_password(address)


def test_what_goes_with_a_server_is_kept_in_a_folder_of_the_users_own(home: Path) -> None:
    one, other = (
        whereabouts.beside(f"{scheme}://me:{password}@db/notes?sslmode=require")
        for scheme, password in (("postgres", "a"), ("postgresql", "b"))
    )
    assert one == other
    assert one.startswith(f"{home}/.local/share/recollect/at-")
    assert one != whereabouts.beside("postgres://me@db/others")


def test_a_folder_of_qdrant_is_opened_with_the_store_and_found_again(tmp_path: Path) -> None:
    from recollect.model.query import Scope  # noqa: PLC0415
    from tests.building import note  # noqa: PLC0415

    place, folder = tmp_path / "a.db", str(tmp_path / "qdrant")
    with open_library(place, vectors=folder, model="hashing") as library:
        library.remember(note("fox", "the quick fox"))
        assert "qdrant" in library.place.address
    with open_library(place, vectors=folder, model="hashing") as library:
        answer = library.ask("quick fox", scope=Scope.of("home"))
        assert [one.note_id for one in answer.results] == ["fox"]
        assert "meaning" in answer.results[0].legs
        assert not answer.degraded


@pytest.mark.parametrize(
    ("package", "place", "vectors", "extra"),
    [
        ("qdrant_client", "a.db", "http://127.0.0.1:1", "recollect[qdrant]"),
        ("psycopg", "postgres://127.0.0.1:1/x", "none", "recollect[postgres]"),
    ],
)
def test_a_package_that_is_missing_is_named_with_what_to_type(
    tmp_path: Path, package: str, place: str, vectors: str, extra: str
) -> None:
    """In a process of its own, where that package cannot be imported."""
    blocked = f"import sys; sys.modules['{package}'] = None; from recollect.faces.cli import main; "
    words = ["search", "fox", "--store", place, "--vectors", vectors, "--model", "none"]
    (tmp_path / "a.db").touch()
    said = subprocess.run(  # noqa: S603
        [sys.executable, "-c", f"{blocked} sys.exit(main({words}))"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert said.returncode == 1
    assert f"pip install '{extra}'" in said.stderr
    assert "Traceback" not in said.stderr


def test_a_store_that_is_not_there_is_named_without_secrets(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no.db with vectors in http://q:1"):
        open_library(tmp_path / "no.db", vectors="http://q:1", model=None, create=False)
