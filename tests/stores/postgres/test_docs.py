"""docs/postgres.md names the numbers the code goes by, and shows a call that works."""

import re
from pathlib import Path

from recollect.stores.postgres import PARTITIONS, POOL, postgres_store
from recollect.stores.postgres.bm25 import MOST_LEAVES
from recollect.stores.postgres.connections import PATIENCE, STATEMENT_TIMEOUT, WAIT
from recollect.stores.postgres.doctor import LEAST_PGVECTOR
from recollect.stores.postgres.hnsw import GROWN
from recollect.stores.postgres.lexemes import LAST_POSITION, MOST_POSITIONS
from tests.stores.postgres.server import Server

PAGE = (Path(__file__).parents[3] / "docs/postgres.md").read_text(encoding="utf-8")


def test_every_number_is_the_codes_own() -> None:
    for said in (
        f"more than {MOST_LEAVES} different words",
        f"at most {MOST_POSITIONS} times",
        f"the {LAST_POSITION:,}rd word",
        f"Above {GROWN:,} vectors in a partition",
        f"for up to {PATIENCE:.0f} seconds",
        f"busy for {WAIT:.0f} seconds",
        f"**pgvector {'.'.join(map(str, LEAST_PGVECTOR))}**",
        f"partitions={PARTITIONS}",
        f"pool_size={POOL}",
    ):
        assert said in PAGE, said
    assert STATEMENT_TIMEOUT == 60  # "longer than a minute"


def test_the_call_that_is_shown_works(plain_server: Server) -> None:
    [shown] = re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)
    for address in re.findall(r'"(postgresql://.+?)"', shown):
        shown = shown.replace(address, plain_server.address)
    exec(shown.replace('schema="recollect"', 'schema="shown"'), {})  # noqa: S102
    with postgres_store(plain_server.address, schema="shown", create=False) as opened:
        assert opened.store.catalogue.spaces() == ()
