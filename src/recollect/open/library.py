"""A store, a model and the engine over them, as whoever uses Recollect sees it.

What only indexing needs is imported by indexing: whoever searches does not wait for it.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from recollect.engine.ask import ask
from recollect.engine.held import Held, ask_and_hold, settle_again
from recollect.engine.learn import document_of, embed_passages, embed_waiting, learn
from recollect.engine.recollect import Gate, Recollected, recollect
from recollect.engine.remember import Remembered, remember
from recollect.engine.tell import HandOver, all_arrives
from recollect.model.answer import Answer
from recollect.model.errors import BadInput, NotFound, VectorsAway
from recollect.model.note import Note
from recollect.model.query import Query, Scope
from recollect.ports import Embedder, Judge, Place, Ports
from recollect.recipes.decisions import decided, decisions_for
from recollect.recipes.recipe import AnyFusion, Recipe
from recollect.recipes.shelf import recipe_named
from recollect.retrieve.abstain import calibration_of
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import resolve
from recollect.stores.languages import OWNER as LANGUAGES
from recollect.stores.recollections import FileRecollections

if TYPE_CHECKING:
    from recollect.open.folders import Indexed

EVERY: Final = 1_000_000
CONFIG: Final = ".recollect/config.toml"
VAULTS: Final = "vaults"
"""The owner, in the store's settings, of the folders that were indexed: space to folder."""
DECISIONS: Final = "decisions"
"""The owner of what evaluation decided: `recipe/part` to decision."""
CALIBRATIONS: Final = "calibrations"
"""The owner of what off-corpus questions find: model to calibration."""
NO_MODEL: Final = "none"


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def seconds(self) -> float:
        return time.perf_counter()


class Library:
    """A store, a model and the engine over them. Use it with `with`, or close it."""

    def __init__(
        self,
        place: Place,
        embedder: Embedder | None = None,
        judge: Judge | None = None,
        successor: Embedder | None = None,
        beside: str = "",
    ) -> None:
        """`beside`: where this machine keeps what each session was told; else where the store says."""
        self.place = place
        self.store = place.store
        self.embedder = embedder
        """The model that answers now."""
        self.successor = successor or embedder
        """The model that passages are embedded with; once it covers them, it answers."""
        self.judge = judge
        self.clock = SystemClock()
        self.recollections = FileRecollections(Path(beside or place.beside))
        """What each session of an agent was told last."""

    def __enter__(self) -> "Library":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self.place.close()

    def ports(self) -> Ports:
        return self.store.ports(self.clock, self.embedder, self.judge)

    def ask(
        self,
        text: str,
        *,
        recipe: str | Recipe | None = None,
        scope: Scope | None = None,
        **rest: Any,
    ) -> Answer:
        """Asks everything in the store, unless a scope says otherwise."""
        seen = scope or self.everything()
        asked = recipe_named(recipe) if isinstance(recipe, str) else recipe
        chosen = asked or self.recipe_for(seen)
        return self.answer(Query(text, seen, self.clock.now(), **rest), chosen)

    def answer(self, query: Query, recipe: Recipe) -> Answer:
        """As evaluation decided for this recipe in this store; the trace says so."""
        decisions = decisions_for(recipe, self.store.settings.settings(DECISIONS))
        answer = ask(query, decided(recipe, decisions), self.ports())
        return self._judged(answer, tuple(one.told() for one in decisions))

    def answer_and_hold(self, query: Query, recipe: Recipe) -> tuple[Answer, Held]:
        """As `answer`, and what was gathered, to be settled again under other weights."""
        decisions = decisions_for(recipe, self.store.settings.settings(DECISIONS))
        answer, held = ask_and_hold(query, decided(recipe, decisions), self.ports())
        return self._judged(answer, tuple(one.told() for one in decisions)), held

    def settle(
        self, held: Held, weights: Mapping[str, float], fusion: AnyFusion | None
    ) -> tuple[Answer, Held]:
        answer, after = settle_again(held, weights, fusion, self.ports())
        return self._judged(answer, ()), after

    def recollect(
        self,
        prompt: str,
        *,
        session: str,
        scope: Scope,
        gate: Gate = Gate(),  # noqa: B008  a frozen value
        recipe: str | Recipe = "recollect",
        hand_over: HandOver = all_arrives,
    ) -> Recollected:
        """The best memories for a prompt, kept in the session's file; what arrives is counted."""
        asked = recipe_named(recipe) if isinstance(recipe, str) else recipe
        query = Query(prompt, scope, self.clock.now())
        usage = self.store.usage
        kept = self.recollections
        return recollect(query, session, asked, self.ports(), usage, kept, gate, hand_over)

    def _judged(self, answer: Answer, remarks: tuple[str, ...]) -> Answer:
        """The answer with what evaluation found out about this store."""
        trace = replace(answer.trace, remarks=(*answer.trace.remarks, *remarks))
        took_part = "meaning" in answer.trace.leg_counts  # else it is judged as words alone are
        model = self.embedder.identity if self.embedder and took_part else NO_MODEL
        kept = self.store.settings.settings(CALIBRATIONS).get(model)
        if kept is None:
            return replace(answer, trace=trace)
        nothing = calibration_of(kept).finds_nothing(trace.leg_best)
        return replace(answer, trace=trace, no_relevant_match=nothing)

    def everything(self) -> Scope:
        return Scope(spaces=frozenset(self.spaces()) or frozenset({"memory"}))

    def spaces(self) -> tuple[str, ...]:
        return self.store.catalogue.spaces()

    def learn(self, notes: Iterable[Note]) -> int:
        """Found by words at once, and by meaning after the next `embed`."""
        return learn(notes, self.store.writer)

    def remember(self, note: Note) -> None:
        """One memory, found by words as soon as this returns; by meaning too, unless its vectors are
        kept elsewhere and that is away."""
        document = document_of(note)
        self.store.writer.put([document])
        if self.embedder and self.store.vector_writer:
            with suppress(VectorsAway):  # it waits in line for the next embedding
                embed_passages(document.passages, self.store.vector_writer, self.embedder)

    def keep(self, note: Note, *, distinct: bool = False) -> Remembered:
        """One memory, unless it is known already; one that brings another up to date supersedes it."""
        return remember(note, self.store, self.embedder, distinct=distinct)

    def forget(self, notes: Iterable[Note]) -> int:
        """How many were removed. A file that is still there is a new note to the next index."""
        doomed = list(notes)
        paths: dict[str, list[str]] = {}
        for note in doomed:
            paths.setdefault(note.space, []).append(note.path)
        removed = self.store.writer.remove(note.id for note in doomed)
        for space, own in paths.items():
            self.store.files.forget_files(space, own)
        return removed

    def embed(self, progress: Callable[[int], None] = lambda _: None) -> int:
        """Gives every passage that waits for it its vector; 0 where there is no model."""
        if self.successor is None or self.store.vector_writer is None:
            return 0
        done = embed_waiting(self.store.vector_writer, self.successor, progress)
        self.embedder = self.successor
        return done

    def forget_model(self, identity: str) -> int:
        """How many vectors of this model were there."""
        writer = self.store.vector_writer
        return writer.drop_model(identity) if writer else 0

    def languages(self) -> Mapping[str, str]:
        """The language each space is searched in; one that is not named speaks English."""
        return {name: str(one) for name, one in self.store.settings.settings(LANGUAGES).items()}

    def speak(self, space: str, language: str) -> None:
        """From now on a space is searched in this language; its words are taken apart again."""
        self.store.settings.change_settings(LANGUAGES, {space: language})
        self.publish()

    def publish(self) -> None:
        """Makes the indexes ready for whoever searches next."""
        self.place.publish()

    def waiting(self) -> int:
        """How many passages still wait for the model's vectors."""
        if self.successor is None or self.store.vectors is None:
            return 0
        return self.store.vectors.missing(self.successor.identity)

    def find(self, name: str, space: str | None = None) -> Note:
        """The note of this id, or at this path; the path's end is enough if it is the only one."""
        own = self.store.shelf.notes([name])
        if name in own and space in (None, own[name].space):
            return own[name]
        found = self.store.listing.ids_by_path([space] if space else self.spaces(), name)
        if len(found) > 1:
            raise BadInput("note", name, f"is the path of {len(found)} notes: {', '.join(found)}")
        if not found:
            raise NotFound("note", name)
        return self.store.shelf.notes(found)[found[0]]

    def matching(self, text: str, scope: Scope) -> list[Note]:
        """Every note that matches the words of a query, as many as there are."""
        tree = resolve(parse(text).tree, "all")
        hits = self.store.words.find(tree, scope, EVERY)
        notes = self.store.shelf.notes(hit.note_id for hit in hits)
        return list(notes.values())

    def index_folder(
        self, root: Path, space: str, progress: Callable[[int, int], None] = lambda *_: None
    ) -> "Indexed":
        """Brings the store up to date with a folder; embedding is a step of its own."""
        from recollect.open.folders import index_folder

        return index_folder(self.store, root, space, progress)

    def vaults(self) -> Mapping[str, str]:
        """The folders that were indexed, by space."""
        return {space: str(root) for space, root in self.store.settings.settings(VAULTS).items()}

    def recipe_for(self, scope: Scope) -> Recipe:
        """For one indexed folder the vault recipe with the numbers of its config.toml, else hybrid."""
        folders = [self.vaults().get(space) for space in scope.spaces]
        if len(folders) != 1 or folders[0] is None:
            return recipe_named("hybrid")
        if not Path(folders[0], CONFIG).exists():
            return recipe_named("vault")
        from recollect.recipes.vault_settings import vault_recipe
        from recollect.vault.settings import load_config

        return vault_recipe(load_config(Path(folders[0])).retrieval)
