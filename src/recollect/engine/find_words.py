"""The words leg: the query as written, then broadened, then down the retry ladder; hits out."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.engine.plan import Plan
from recollect.model.answer import Attempt
from recollect.model.ranking import Hit
from recollect.model.tree import Node
from recollect.ports import Ports
from recollect.recipes.recipe import ByWords, MatchPolicy, depth_for
from recollect.retrieve.ladder import Rung, rungs
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import loosened, resolve
from recollect.retrieve.words import tokens


@dataclass(frozen=True, slots=True)
class WordsFound:
    hits: tuple[Hit, ...] = ()
    compiled: str = ""
    broadened: bool = False
    attempts: tuple[Attempt, ...] = ()


def find_words(plan: Plan, leg: ByWords, ports: Ports) -> WordsFound:
    first, *broader = _ever_broader(plan.tree, leg.match)
    compiled = ports.words.compiled(first)
    hits = _find(first, plan, leg, ports)
    broadened = False
    for tree in broader:
        if not hits:
            hits, broadened = _find(tree, plan, leg, ports), True
    if hits or not leg.retry or plan.query.skip_retry_ladder:
        return WordsFound(tuple(hits), compiled, broadened)
    hits, attempts = _climb(compiled, plan, leg, ports)
    return WordsFound(tuple(hits), compiled, broadened, attempts)


def _ever_broader(tree: Node, match: MatchPolicy) -> tuple[Node, ...]:
    """The query as it is read first, and what is tried while nothing is found."""
    trees = [resolve(tree, "any" if match == "any" else "all")]
    if match == "all_then_any":  # R5.4
        trees.append(resolve(tree, "any"))
    trees.append(resolve(loosened(tree), "all" if match == "all" else "any"))
    return tuple(dict.fromkeys(trees))


def _climb(
    compiled: str, plan: Plan, leg: ByWords, ports: Ports
) -> tuple[Sequence[Hit], tuple[Attempt, ...]]:
    """R2.9: rung by rung until one finds something; every rung tried leaves its row."""
    attempts = [Attempt("initial", compiled, 0)]
    hits: Sequence[Hit] = ()
    for rung in rungs(plan.query.text):
        hits = _try(rung, plan, leg, ports)
        attempts.append(Attempt(rung.strategy, rung.query, len(hits)))
        if hits:
            break
    return hits, tuple(attempts)


def _try(rung: Rung, plan: Plan, leg: ByWords, ports: Ports) -> Sequence[Hit]:
    if rung.strategy == "trigram_fuzzy":
        if ports.slugs is None:
            return ()
        depth = depth_for(leg, plan.limit)
        return ports.slugs.resembling(rung.query.split(), plan.query.scope, depth)
    if not tokens(rung.query):  # a term of invisible or private characters names nothing
        return ()
    weaker = resolve(parse(rung.query, "plain").tree, "any" if leg.match == "any" else "all")
    return _find(weaker, plan, leg, ports)


def _find(node: Node, plan: Plan, leg: ByWords, ports: Ports) -> Sequence[Hit]:
    return ports.words.find(node, plan.query.scope, depth_for(leg, plan.limit))
