"""How long fusing and adjusting takes: four lists of 250 candidates, every adjustment on.

    python -m bench.fusion [--lists 4] [--depth 250] [--rounds 400]

Two shapes: the lists share their candidates (a pool of 250, as a recollection has it), and they
share none (1,000 different notes, the worst case). Prints milliseconds.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from recollect.model.note import Facts, Usage
from recollect.model.ranking import Hit, Ranking
from recollect.retrieve.adjust import (
    Adjustment,
    AgeTiers,
    Backlinks,
    Circumstances,
    ExactMatch,
    ImportanceBonus,
    ImportancePrior,
    IntentFactors,
    Superseded,
    adjust,
)
from recollect.retrieve.fuse import RRF, Convex, Distribution, Fusion, Weighted, fuse
from recollect.retrieve.intent import intent_of
from recollect.retrieve.order import adjusted_order, fused_order
from recollect.retrieve.rank import ranking

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ADJUSTMENTS: tuple[Adjustment, ...] = (
    ImportanceBonus(),
    ImportancePrior(),
    Backlinks(),
    AgeTiers(),
    IntentFactors(),
    ExactMatch(enabled=True),
    Superseded(),
)


def candidates(lists: int, depth: int, *, shared: bool) -> tuple[list[Ranking], dict[str, Facts]]:
    dice = random.Random(7)
    names = [f"note-{n:05}" for n in range(depth if shared else depth * lists)]
    rankings = []
    for at in range(lists):
        own = list(names) if shared else names[at * depth : (at + 1) * depth]
        dice.shuffle(own)
        hits = [Hit(name, dice.random(), f"{name}#0") for name in own]
        rankings.append(ranking(f"leg{at}", 1.0, hits, 0.0))
    return rankings, {name: _facts(name, dice) for name in names}


def _facts(name: str, dice: random.Random) -> Facts:
    moment = NOW - timedelta(days=dice.randrange(400))
    traits = dice.sample(["global", "preference", "generic", "rollup", "atomic", "dated"], 2)
    return Facts(
        note_id=name,
        path=f"memory/global/{name}.md",
        title=name,
        summary="",
        excerpt="",
        created_at=moment,
        modified_at=moment,
        importance=dice.random(),
        traits=frozenset(traits),
        backlinks=dice.randrange(20),
        usage=Usage(moment, dice.randrange(50)),
    )


def one_round(
    fusion: Fusion, rankings: list[Ranking], facts: Mapping[str, Facts], at: Circumstances
) -> Callable[[], list[str]]:
    def run() -> list[str]:
        fused = fuse(fusion, rankings)
        order = fused_order(fused.scores, facts, fused.rankings, "path")
        return adjusted_order(order, adjust(fused.scores, facts, ADJUSTMENTS, at))

    return run


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    work()
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken), statistics.quantiles(taken, n=100)[94]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lists", type=int, default=4)
    parser.add_argument("--depth", type=int, default=250)
    parser.add_argument("--rounds", type=int, default=400)
    given = parser.parse_args()
    print(f"{given.lists} lists of {given.depth}, {len(ADJUSTMENTS)} adjustments, ms per query")
    print(f"{'fusion':14}{'candidates':>12}{'p50':>8}{'p95':>8}")
    for fusion in (RRF(), RRF(ranks="dense"), Convex(), Distribution(), Weighted()):
        for shared in (True, False):
            rankings, facts = candidates(given.lists, given.depth, shared=shared)
            at = Circumstances(
                now=NOW,
                lists_fused=given.lists,
                intent=intent_of("how many tips did I list"),
                exact=frozenset(list(facts)[::7]),
            )
            p50, p95 = timed(one_round(fusion, rankings, facts, at), given.rounds)
            name = fusion.method + (" dense" if fusion == RRF(ranks="dense") else "")
            print(f"{name:14}{len(facts):>12}{p50:>8.2f}{p95:>8.2f}")


if __name__ == "__main__":
    main()
