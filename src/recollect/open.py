"""The one module that names concrete stores and models: a place in, a library ready to ask out.

What only indexing needs is imported by indexing: whoever searches does not wait for it.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from recollect.encoders import choose
from recollect.engine.ask import ask
from recollect.engine.held import Held, ask_and_hold, settle_again
from recollect.engine.learn import document_of, embed_passages, embed_waiting, learn
from recollect.engine.recollect import Gate, Recollected, recollect
from recollect.engine.remember import Remembered, remember
from recollect.engine.tell import HandOver, all_arrives
from recollect.model.answer import Answer
from recollect.model.errors import BadInput, NotFound, StoreError
from recollect.model.note import Note
from recollect.model.query import Query, Scope
from recollect.ports import Embedder, Judge, Place, Ports
from recollect.recipes.decisions import decided, decisions_for
from recollect.recipes.recipe import AnyFusion, Recipe
from recollect.recipes.shelf import recipe_named
from recollect.retrieve.abstain import calibration_of
from recollect.retrieve.parse import parse
from recollect.retrieve.resolve import resolve
from recollect.stores.recollections import FileRecollections
from recollect.stores.sqlite import sqlite_store

if TYPE_CHECKING:
    from recollect.ingest.diff import Difference
    from recollect.vault.remark import Remark
    from recollect.vault.scan import Scan

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


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a look at a folder came to."""

    space: str
    written: int
    difference: "Difference"
    links: int
    unresolved: int
    remarks: "tuple[Remark, ...]"


class Library:
    """A store, a model and the engine over them. Use it with `with`, or close it."""

    def __init__(
        self,
        place: Place,
        embedder: Embedder | None = None,
        judge: Judge | None = None,
        successor: Embedder | None = None,
    ) -> None:
        self.place = place
        self.store = place.store
        self.embedder = embedder
        """The model that answers now."""
        self.successor = successor or embedder
        """The model that passages are embedded with; once it covers them, it answers."""
        self.judge = judge
        self.clock = SystemClock()
        self.recollections = FileRecollections(Path(place.beside))
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
        """One memory, found by words and meaning as soon as this returns."""
        document = document_of(note)
        self.store.writer.put([document])
        if self.embedder and self.store.vector_writer:
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
    ) -> Indexed:
        """Brings the store up to date with a folder; embedding is a step of its own."""
        from recollect.engine.index import Changes, known_files, write_changes
        from recollect.vault.read import read
        from recollect.vault.scan import scan
        from recollect.vault.settings import load_config

        config = load_config(root)
        known = known_files(space, self.store)
        found = scan(root, space, config.vault, known)
        if known and not found.records:
            raise BadInput(
                "folder",
                str(root),
                f"holds no notes now, but {len(known)} are known from it; is the disk mounted? "
                f"to remove them: recollect forget --everything --space {space}",
            )
        remarks = list(found.remarks)
        changes = Changes(
            space=space,
            pending=found.pending,
            read=lambda path: read(found, path, remarks.append),
            removed_ids=found.removed_ids,
            forgotten=found.forgotten,
            refreshed=found.refreshed,
            records=found.records,
        )
        # first of all, so that whoever comes after an interruption, or meanwhile, finds the name taken
        self.store.settings.change_settings(VAULTS, {space: str(root)})
        written = write_changes(
            changes, self.store, lambda count: progress(count, len(found.pending))
        )
        links = sum(len(record.links) for record in found.records.values())
        return Indexed(
            space, written, found.difference, links, unresolved_in(found), tuple(remarks)
        )

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


def open_library(
    place: str | Path | None = None,
    *,
    model: str | None = "auto",
    judge: str | None = None,
    create: bool = True,
) -> Library:
    """`model=None` searches by words alone. Nothing is loaded before it is needed."""
    path = store_path(place)
    if not create and not path.exists():
        raise StoreError(f"there is no store at {path} yet; make one: recollect index FOLDER")
    wanted = None if model is None else choose.embedder(model)
    judging = None if judge is None else choose.judge(judge)
    opened = sqlite_store(path, create=create)  # last: a wrong name leaves no empty store behind
    serving = _serving(opened, wanted) if wanted and model == "auto" else wanted
    return Library(opened, serving, judging, wanted)


def _serving(opened: Place, wanted: Embedder) -> Embedder:
    """The wanted model, unless another one's vectors cover more: then that one serves until the
    wanted one's are there. So a better model takes over without search ever being without one."""
    covered = {one.identity: one.embedded for one in opened.store.catalogue.models()}
    best = max(covered, key=lambda identity: (covered[identity], identity), default="")
    if covered.get(best, 0) <= covered.get(wanted.identity, 0):
        return wanted
    return next((other for other in choose.installed() if other.identity == best), wanted)


def store_path(place: str | Path | None = None) -> Path:
    """What was given, else RECOLLECT_STORE, else a file of the user's own."""
    chosen = os.environ.get("RECOLLECT_STORE") or None if place is None else place
    if chosen is not None:
        _check_path(str(chosen))
        return Path(chosen).expanduser()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "recollect" / "recollect.db"


def _check_path(text: str) -> None:
    if not text:
        raise BadInput("store", text, "is empty; give the path of a file, or leave it out")
    if "://" in text:
        raise BadInput("store", text, "is an address; a store is kept in a file, so give its path")


def unresolved_in(found: "Scan") -> int:
    """Links of this folder that lead to no note in it, pictures and the like not counted."""
    from recollect.ingest.links import names_attachment, target_of

    targets = (
        (target_of(mention, found.link_style), record.path)
        for record in found.records.values()
        for mention in record.mentions
    )
    missing = {
        (target, source)
        for target, source in targets
        if target and not names_attachment(target) and found.names.find(target, source) is None
    }
    return len(missing)
