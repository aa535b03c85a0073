"""The driver of Postgres is imported by whoever opens such a store, and by nobody else."""

import subprocess
import sys

SEARCHING = """
import sys
import recollect.faces.cli
import recollect.open
import recollect.stores.sqlite
assert not [name for name in sys.modules if name.startswith("psycopg")]
import recollect.stores.postgres
assert "psycopg_pool" in sys.modules
"""


def test_a_store_in_a_file_needs_no_driver() -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", SEARCHING], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
