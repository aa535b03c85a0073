"""Every leg asked, side by side; rankings out. What fails is named, what is unwanted is gone."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from recollect.engine.crew import Crew
from recollect.engine.find_meaning import MeaningFound, start_meaning
from recollect.engine.find_words import WordsFound, find_words
from recollect.engine.plan import NO_MEANING, Plan
from recollect.model.errors import LegFailed, SearchFailed
from recollect.model.ranking import Hit, Ranking
from recollect.ports import Ports
from recollect.recipes.recipe import ByLinks, ByMeaning, ByWords, depth_for
from recollect.retrieve.fuse import RRF, fuse
from recollect.retrieve.rank import ranking
from recollect.retrieve.resolve import resolve

BM25_FLOOR = 0.0
COSINE_FLOOR = -1.0
LINKS_FLOOR = 0.0


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the legs found, in the recipe's order of legs."""

    rankings: tuple[Ranking, ...]
    words: WordsFound = field(default=WordsFound())
    pool: frozenset[str] | None = None

    def note_ids(self) -> tuple[str, ...]:
        found = (note_id for ranking in self.rankings for note_id in ranking.ids())
        return tuple(dict.fromkeys(found))


def gather(plan: Plan, ports: Ports, crew: Crew) -> Gathered:
    if plan.meaning_is_absent:
        crew.note("meaning", "absent", NO_MEANING)
    by_words, by_meaning, by_links = plan.leg(ByWords), plan.leg(ByMeaning), plan.leg(ByLinks)
    words_errand = by_words and crew.start("words", lambda: find_words(plan, by_words, ports))
    finish_meaning = by_meaning and start_meaning(plan, by_meaning, ports, crew)

    words = (words_errand and crew.collect(words_errand)) or None
    meaning = finish_meaning(_ids(words)) if finish_meaning else None
    _stop_if_required(plan, crew, words, meaning)

    found: dict[str, Ranking] = {}
    pool = meaning.pool if meaning else None
    if by_words and words is not None:
        inside = [hit for hit in words.hits if pool is None or hit.note_id in pool]
        found["words"] = ranking("words", by_words.weight, inside, BM25_FLOOR)
    if by_meaning and meaning is not None:
        found["meaning"] = ranking("meaning", by_meaning.weight, meaning.hits, COSINE_FLOOR)
    if by_links:
        linked = _linked(by_links, found.values(), plan, ports, crew)
        found["links"] = ranking("links", by_links.weight, linked, LINKS_FLOOR)
    in_order = [found[leg.name] for leg in plan.legs if leg.name in found]
    return Gathered(_wanted(in_order, plan, ports), words or WordsFound(), pool)


def _ids(words: WordsFound | None) -> tuple[str, ...]:
    return () if words is None else tuple(hit.note_id for hit in words.hits)


def _stop_if_required(
    plan: Plan, crew: Crew, words: WordsFound | None, meaning: MeaningFound | None
) -> None:
    """An answer without a required leg, or after every leg failed, would be a wrong answer.

    Legs that were merely late are what a deadline is for: left out, and named.
    """
    reasons = {one.part: one.why for one in crew.degraded}
    for leg, found in ((plan.leg(ByWords), words), (plan.leg(ByMeaning), meaning)):
        if leg is not None and leg.required and found is None:
            raise LegFailed(leg.name, reasons.get(leg.name, "it gave no answer"))
    asked = plan.leg(ByWords) or plan.leg(ByMeaning)
    if asked and words is None and meaning is None and crew.failures:
        raise SearchFailed(f"{one.part} ({one.code}): {one.why}" for one in crew.degraded)


def _linked(
    leg: ByLinks, found: Iterable[Ranking], plan: Plan, ports: Ports, crew: Crew
) -> tuple[Hit, ...]:
    """One link away from what the other legs agree on most, nearer ones counting more."""
    graph = ports.graph
    if graph is None:
        crew.note(leg.name, "absent", "this store keeps no links")
        return _without_links(leg, crew)
    scores = fuse(RRF(), found).scores
    best = sorted(scores, key=lambda note_id: (-scores[note_id], note_id))[: leg.seeds]
    if not best:
        return ()
    seeds = {note_id: 1.0 / place for place, note_id in enumerate(best, start=1)}
    depth = depth_for(leg, plan.limit)
    errand = crew.start(leg.name, lambda: graph.neighbours(seeds, plan.query.scope, depth))
    hits = crew.collect(errand)
    return _without_links(leg, crew) if hits is None else tuple(hits)


def _without_links(leg: ByLinks, crew: Crew) -> tuple[Hit, ...]:
    if leg.required:
        raise LegFailed(leg.name, crew.degraded[-1].why)
    return ()


def _wanted(rankings: list[Ranking], plan: Plan, ports: Ports) -> tuple[Ranking, ...]:
    """A word that was excluded is excluded from every leg, not only from the words leg."""
    if plan.parsed.unwanted is None:
        return tuple(rankings)
    everything = {note_id for one in rankings for note_id in one.ids()}
    if not everything:
        return tuple(rankings)
    unwanted = ports.words.containing(resolve(plan.parsed.unwanted, "all"), everything)
    return tuple(
        Ranking(
            one.leg,
            one.weight,
            tuple(hit for hit in one.hits if hit.note_id not in unwanted),
            one.floor,
        )
        for one in rankings
    )
