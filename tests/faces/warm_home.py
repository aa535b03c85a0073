"""A store with a warm process of its own, and the hook that calls it: real processes, real sockets."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recollect.encoders.hashing import Hashing
from recollect.faces.hook.places import Meant, Places
from recollect.faces.hook.warm_call import ARRIVED, line_from, request_of
from recollect.faces.hook.wishes import wishes_of
from recollect.open import Library
from recollect.stores.sqlite import sqlite_store
from tests.engine.test_recollect import episode
from tests.faces.test_hook import event

PATIENT = ("--model", "hashing", "--deadline-ms", "30000")


def fill(store: Path, *texts: str) -> None:
    with Library(sqlite_store(store), Hashing()) as library:
        library.learn(episode(f"e{at}", text) for at, text in enumerate(texts))
        library.embed()


def warm_processes(home: Path) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"recollect.faces.hook.warm" in words and str(home / "s.db").encode() in words:
            found.append(int(entry.parent.name))
    return found


def resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def start(home: Path, prompt: str, session: str, *options: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "recollect", "hook", "--store", str(home / "s.db"), *options]
    process = subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(event(prompt, session).encode())
    process.stdin.close()
    process.stdin = None
    return process


def hook(home: Path, prompt: str, session: str = "s", *options: str) -> str:
    process = start(home, prompt, session, *PATIENT, *options)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out.decode()


def until(holds: Callable[[], Any], seconds: float = 15.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


def places(home: Path) -> Places:
    return Places(Meant(str(home / "s.db")))


def socket_of(home: Path) -> Path:
    return Path(places(home).folder, Places.socket)


def request(home: Path, prompt: str, session: str) -> bytes:
    wishes = wishes_of([*PATIENT])
    return request_of(json.loads(event(prompt, session)), wishes, Meant(str(home / "s.db")))


def converse(home: Path, prompt: str, session: str, *, confirm: bool = True) -> str:
    """What a hook hears, without starting one; `confirm` tells that it was printed."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(socket_of(home)))
        line.sendall(request(home, prompt, session))
        heard = json.loads(line_from(line))
        if confirm:
            line.sendall(ARRIVED)
    return str(heard["out"])
