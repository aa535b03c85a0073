"""`recollect migrate`: everything of one store in another, copied in batches and then compared."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from recollect.faces.cli.arguments import add_json, bare_command
from recollect.faces.cli.commands import Exit
from recollect.faces.cli.progress import Progress

if TYPE_CHECKING:
    from recollect.model.records import Kind
    from recollect.open.migrate import Migrated
    from recollect.stores.transfer.comparing import Comparison

WHERE = "a file or a postgres:// address"


def parser() -> argparse.ArgumentParser:
    own = bare_command(
        "migrate",
        "Copies everything to another store, and compares the two. Stopped, it goes on when run again.",
    )
    own.add_argument("--from", required=True, metavar="STORE", help=f"{WHERE}; only read")
    own.add_argument("--from-vectors", metavar="URL", help="the Qdrant with its vectors")
    own.add_argument("--to", required=True, metavar="STORE", help=f"{WHERE}, made if need be")
    own.add_argument("--to-vectors", metavar="URL", help="the Qdrant for its vectors")
    own.add_argument(
        "--into-existing", action="store_true", help="though it holds notes of its own"
    )
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.open.addresses import named_address
    from recollect.open.migrate import migrate

    source = named_address(getattr(given, "from"), given.from_vectors)
    target = named_address(given.to, given.to_vectors)
    with Progress("copying", quiet=given.json) as progress:

        def step(kind: "Kind", count: int) -> None:
            if kind in ("note", "vector"):  # what there may be many of, and what is counted
                progress.step(count)

        done = migrate(
            source,
            target,
            into_existing=given.into_existing,
            expected=lambda total: progress.step_of(0, total),
            progress=step,
        )
    if given.json:
        print(json.dumps(_shape(done, str(source), str(target))))
    else:
        _show(done, str(source), str(target))
    return Exit.OK if done.is_whole else Exit.FAILED


def _show(done: "Migrated", source: str, target: str) -> None:
    print(f"from {source}\nto   {target}")
    if done.brought:
        print(f"{done.brought:,} records had changed since and were brought again")
    for one in done.comparisons:
        print(
            f"{one.kind:<8} {one.source.count:>10,} → {one.target.count:>10,}  "
            f"{one.source.digest} → {one.target.digest}  {_told(one)}"
        )
    if done.is_whole:
        print("both hold the same" if not done.into_existing else "everything is there")
    else:
        print("they differ; run it again while nobody writes", file=sys.stderr)


def _told(one: "Comparison") -> str:
    parts = (
        (one.missing, "missing"),
        (one.different, "different"),
        (one.extra, "only in the target"),
    )
    told = ", ".join(f"{count:,} {what}" for count, what in parts if count)
    return f"{told}: {'; '.join(one.named)}" if told else "same"


def _shape(done: "Migrated", source: str, target: str) -> dict[str, Any]:
    return {
        "from": source,
        "to": target,
        "same": done.is_whole,
        "brought": done.brought,
        "kinds": {
            one.kind: {
                "source": {"count": one.source.count, "digest": one.source.digest},
                "target": {"count": one.target.count, "digest": one.target.digest},
                "missing": one.missing,
                "different": one.different,
                "extra": one.extra,
                "named": one.named,
            }
            for one in done.comparisons
        },
    }
