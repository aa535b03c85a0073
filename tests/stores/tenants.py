"""Scope under fire: fifty tenants that say the same words, a thousand random scopes, and not one row
from outside, on whatever store the suite is run."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.model.note import Link, Note
from recollect.model.query import Scope
from recollect.model.tree import Or, Word
from recollect.ports import Embedder, Store
from recollect.recipes.shelf import MEMORY
from tests.building import NOW, Home, days_ago, embed_all, hit_ids, ids, note, put

TENANTS = tuple(f"tenant{number:02}" for number in range(50))
NOTES_EACH = 6
SCOPES = 1_000
DEPTH = 8

_WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()
_TAGS = ("red", "green")
_SESSIONS = ("s0", "s1", "s2", "s3")
_PROJECTS = ("p0", "p1")


@dataclass(frozen=True)
class World:
    """Everything there is. What a scope may see is read off this, and off no store."""

    notes: Mapping[str, Note]
    projects: Mapping[tuple[str, str], str | None]
    """The project that a session is in now."""

    def visible(self, scope: Scope) -> frozenset[str]:
        return frozenset(one.id for one in self.notes.values() if self._shows(scope, one))

    def _shows(self, scope: Scope, one: Note) -> bool:
        opened = one.session is not None and (one.space, one.session) in self.projects
        project = self.projects[one.space, str(one.session)] if opened else one.project
        return (
            one.space in scope.spaces
            and one.id not in scope.excluded
            and (scope.sessions is None or one.session in scope.sessions)
            and (scope.projects is None or project in scope.projects)
            and scope.tags <= set(one.tags)
            and (scope.since is None or scope.since <= one.modified_at)
            and (scope.before is None or one.modified_at < scope.before)
        )


def settle_tenants(store: Store, chance: random.Random) -> World:
    """The same words, paths, sessions and projects in every tenant, and links that lead astray."""
    notes = {one.id: one for tenant in TENANTS for one in _notes(tenant, chance)}
    put(store, *notes.values())
    projects: dict[tuple[str, str], str | None] = {}
    for tenant in TENANTS:
        for session in _SESSIONS[:-1]:  # the last is never opened: its notes keep their own project
            projects[tenant, session] = chance.choice((None, *_PROJECTS))
            store.sessions.open_session(tenant, session, projects[tenant, session])
    for tenant, session in chance.sample(sorted(projects), len(TENANTS)):
        projects[tenant, session] = chance.choice((None, *_PROJECTS))
        store.sessions.move_session(tenant, session, projects[tenant, session])
    store.usage.shown(chance.sample(sorted(notes), 100), NOW)
    return World(notes, projects)


def _notes(tenant: str, chance: random.Random) -> Iterator[Note]:
    for number in range(NOTES_EACH):
        words = chance.choices(_WORDS, k=7)
        astray = f"{chance.choice(TENANTS)}-{chance.randrange(NOTES_EACH)}"
        yield note(
            f"{tenant}-{number}",
            " ".join(words),
            space=tenant,
            path=f"{number}/{words[0]}.md",
            session=chance.choice((None, *_SESSIONS)),
            project=chance.choice((None, *_PROJECTS)),
            tags=_some(chance, _TAGS),
            age_days=chance.randrange(90),
            links=(Link(f"{tenant}-{chance.randrange(NOTES_EACH)}"), Link(astray)),
        )


def random_scope(chance: random.Random, note_ids: Sequence[str]) -> Scope:
    since, before = (chance.choice((None, None, days_ago(chance.randrange(90)))) for _ in "12")
    return Scope.of(
        *chance.sample(TENANTS, chance.choice((1, 1, 1, 2, 5, len(TENANTS)))),
        sessions=chance.choice((None, None, _some(chance, _SESSIONS))),
        projects=chance.choice((None, None, _some(chance, _PROJECTS))),
        tags=chance.choice(((), (), _some(chance, _TAGS))),
        since=since,
        before=before,
        excluded=chance.sample(note_ids, chance.choice((0, 0, 3, 50))),
    )


def _some(chance: random.Random, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(chance.sample(names, chance.randrange(len(names) + 1)))


class TenantsContract:
    """Scope is a promise, also when everybody is at home."""

    def test_a_thousand_scopes_show_not_one_row_from_outside(self, store: Store) -> None:
        """R0.9"""
        chance = random.Random(7)
        world = settle_tenants(store, chance)
        model, note_ids, shown = embed_all(store), sorted(world.notes), 0
        for number in range(SCOPES):
            scope, words = random_scope(chance, note_ids), chance.sample(_WORDS, 3)
            seen, seeds = world.visible(scope), chance.sample(note_ids, 5)
            found = legs(store, model, scope, words, seeds)
            for leg, own in found.items():
                assert seen.issuperset(own), (leg, scope)
                shown += len(own)
            assert len(found["meaning"]) == min(DEPTH, len(seen)), ("starved", scope)
            assert list(store.listing.ids_in(scope)) == sorted(seen)
            if number % 10 == 0:
                answer = Home(store, model).ask(" ".join(words), MEMORY, scope, limit=50)
                assert seen.issuperset(ids(answer)), ("answer", scope)
                assert not answer.degraded
        assert shown > 10 * SCOPES  # a store that finds nothing shows nothing from outside either


def legs(
    store: Store, model: Embedder, scope: Scope, words: Sequence[str], seeds: Sequence[str]
) -> dict[str, list[str]]:
    """What each leg finds; the seeds of the links are anybody's notes."""
    assert store.vectors
    assert store.graph
    vector = model.embed([" ".join(words)])[0]
    tree = Or(tuple(map(Word, words)))
    return {
        "words": hit_ids(store.words.find(tree, scope, DEPTH)),
        "meaning": hit_ids(store.vectors.nearest(model.identity, vector, scope, DEPTH)),
        "recent": list(store.vectors.recently_accessed(model.identity, scope, DEPTH)),
        "links": hit_ids(store.graph.neighbours(dict.fromkeys(seeds, 1.0), scope, DEPTH)),
        "slugs": hit_ids(store.slugs.resembling(words, scope, DEPTH)),
        "listing": [one.id for one in store.listing.notes_in(scope, DEPTH)],
    }
