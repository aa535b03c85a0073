"""The servers of the tests: none outlives whoever started it."""

import os
import shutil
import subprocess
import sys
import time

STARTING = """
import sys, time
from tests.stores.postgres.server import PLAIN, running
with running(PLAIN) as server:
    print(server.data.joinpath("postmaster.pid").read_text().split()[0], server.folder, flush=True)
    time.sleep(600)
"""


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_server_ends_with_the_tests_that_started_it_however_they_end() -> None:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", STARTING], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    pid, folder = process.stdout.readline().split()
    server = int(pid)
    assert is_there(server)
    process.kill()
    process.wait()
    process.stdout.close()
    deadline = time.monotonic() + 30
    while is_there(server) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_there(server)
    shutil.rmtree(folder)
