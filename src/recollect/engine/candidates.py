"""What was gathered in; the candidates with their facts out, read once, in one batch (R0.8)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from recollect.engine.gather import Gathered
from recollect.engine.plan import Plan
from recollect.model.errors import StoreError
from recollect.model.note import Facts
from recollect.model.ranking import Ranking
from recollect.ports import Ports
from recollect.retrieve.facts import fact_ranking
from recollect.retrieve.group import witnesses


@dataclass(frozen=True, slots=True)
class Candidates:
    rankings: tuple[Ranking, ...]
    facts: Mapping[str, Facts]
    passages: Mapping[str, str]
    """For each note the passage that is judged and shown for it."""


def read_candidates(gathered: Gathered, plan: Plan, ports: Ports) -> Candidates:
    """A note that vanished since a leg found it is dropped; one from outside the scope is an error."""
    note_ids = gathered.note_ids()
    facts = dict(ports.shelf.facts(note_ids)) if note_ids else {}
    outside = [one.note_id for one in facts.values() if one.space not in plan.query.scope.spaces]
    if outside:
        raise StoreError(f"the store returned {len(outside)} notes from outside the asked spaces")
    there = [_still_there(ranking, facts) for ranking in gathered.rankings]
    by_fact = [fact_ranking(leg.fact, leg.weight, facts.values()) for leg in plan.facts()]
    passages = {
        note_id: passage or facts[note_id].lead_passage
        for note_id, passage in witnesses((*there, *by_fact)).items()
    }
    return Candidates((*there, *by_fact), facts, passages)


def _still_there(ranking: Ranking, facts: Mapping[str, Facts]) -> Ranking:
    if all(hit.note_id in facts for hit in ranking.hits):
        return ranking
    return replace(ranking, hits=tuple(hit for hit in ranking.hits if hit.note_id in facts))
