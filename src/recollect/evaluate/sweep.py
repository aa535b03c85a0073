"""R5.5: fusions compared on real judgments. Chosen on one half of the questions, reported on the other.

RRF over k, convex combination over alpha, distribution-based fusion; then, last, weights. All of
them fuse the same two lists, so that nothing but the fusion differs.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from recollect.evaluate.collections import Collection
from recollect.evaluate.compare import Comparison, compared
from recollect.evaluate.indexing import Progress, silent
from recollect.evaluate.measures import MAIN, Values, mean, measured
from recollect.evaluate.replay import Asked, ask_legs, replayed
from recollect.open import Library
from recollect.ports import Ports
from recollect.recipes.alternatives import PLAIN
from recollect.recipes.recipe import AnyFusion, Recipe
from recollect.retrieve.fuse import RRF, Convex, Distribution

KS: Final = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 80, 100)
ALPHAS: Final = tuple(round(0.05 * step, 2) for step in range(21))
WEIGHTS: Final = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)
"""Of meaning, where words have 1: only their ratio counts."""

DEPTH: Final = 10
"""As deep as the main measure looks."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One way of fusing two lists."""

    fusion: AnyFusion
    words: float = 1.0
    meaning: float = 1.0

    def recipe(self, base: Recipe = PLAIN) -> Recipe:
        weighted = base.with_weights({"words": self.words, "meaning": self.meaning})
        return replace(weighted, name=str(self), fusion=self.fusion)

    def __str__(self) -> str:
        if not self.words or not self.meaning:
            return "words alone" if self.words else "meaning alone"
        own = {"rrf": "k", "convex": "alpha"}.get(self.fusion.method)
        value = f" {own}={getattr(self.fusion, own):g}" if own else ""
        weights = "" if self.words == self.meaning else f" {self.words:g}:{self.meaning:g}"
        return f"{self.fusion.method}{value}{weights}"


WORDS: Final = Setting(RRF(), meaning=0.0)
MEANING: Final = Setting(RRF(), words=0.0)
USUAL: Final = Setting(RRF())
BY_K: Final = tuple(Setting(RRF(k=k)) for k in KS)
BY_ALPHA: Final = tuple(Setting(Convex(alpha)) for alpha in ALPHAS)
BY_SPREAD: Final = (Setting(Distribution()),)

METHODS: Final[Mapping[str, tuple[Setting, ...]]] = {
    "words": (WORDS,),
    "meaning": (MEANING,),
    "rrf k=60": (USUAL,),
    "rrf": BY_K,
    "convex": BY_ALPHA,
    "distribution": BY_SPREAD,
}

AS_THEY_ARE: Final = ("rrf k=60", "distribution")
"""Methods of one setting each."""


@dataclass(frozen=True, slots=True)
class Line:
    """One method: the setting chosen on one half, and what it came to on the other."""

    method: str
    chosen: Setting
    selected_on: float
    reported: float
    against_usual: Comparison
    against_best_leg: Comparison


@dataclass(frozen=True, slots=True)
class Sweep:
    collection: str
    model: str
    questions: tuple[int, int]
    """How many chose, and how many the report is about."""
    best_leg: str
    """With hindsight, by all questions: no fusion is compared with an easier opponent."""
    as_they_are: Mapping[str, Comparison]
    """The fusions with nothing to be chosen, against the better leg over all questions."""
    lines: tuple[Line, ...]
    by_k: Mapping[float, float]
    by_alpha: Mapping[float, float]
    """Over all questions, for the eye: nothing was chosen by them."""


def sweep(collection: Collection, library: Library, progress: Progress = silent) -> Sweep:
    asked = ask_legs(collection, library, progress=progress)
    ports = library.ports()
    choosing = first_half(one.id for one in collection.questions)

    def value(setting: Setting) -> Values:
        return _values(setting, asked, collection, ports)

    values = {setting: value(setting) for own in METHODS.values() for setting in own}
    chosen = {name: _best(own, values, choosing) for name, own in METHODS.items()}
    for name, weighted in _weight_settings(chosen).items():
        values |= {setting: value(setting) for setting in weighted if setting not in values}
        chosen[name] = _best(weighted, values, choosing)
    best_leg = max(("words", "meaning"), key=lambda name: mean(values[chosen[name]].values()))
    lines = [
        _line(name, setting, chosen[best_leg], values, choosing) for name, setting in chosen.items()
    ]
    return Sweep(
        collection=collection.name,
        model=library.embedder.identity if library.embedder else "none",
        questions=(len(choosing), len(collection.questions) - len(choosing)),
        best_leg=best_leg,
        as_they_are={
            name: compared(values[chosen[best_leg]], values[chosen[name]]) for name in AS_THEY_ARE
        },
        lines=tuple(lines),
        by_k={float(k): mean(values[one].values()) for k, one in zip(KS, BY_K, strict=True)},
        by_alpha={a: mean(values[one].values()) for a, one in zip(ALPHAS, BY_ALPHA, strict=True)},
    )


def first_half(questions: Iterable[str]) -> frozenset[str]:
    """Half of the questions, by a hash of their ids: the same half in every run."""
    shuffled = sorted(questions, key=lambda one: hashlib.blake2b(one.encode()).digest())
    return frozenset(shuffled[: len(shuffled) // 2])


def _weight_settings(chosen: Mapping[str, Setting]) -> dict[str, tuple[Setting, ...]]:
    """Weights come last, and each pair belongs to the fusion it was chosen with."""
    return {
        f"{name}, weighted": tuple(replace(chosen[name], meaning=weight) for weight in WEIGHTS)
        for name in ("rrf", "distribution")
    }


def _values(
    setting: Setting, asked: Sequence[Asked], collection: Collection, ports: Ports
) -> Values:
    run = replayed(asked, setting.recipe(), ports, DEPTH, str(setting))
    return measured(run, collection.judgments, [MAIN])[MAIN]


def _best(
    settings: Iterable[Setting], values: Mapping[Setting, Values], choosing: frozenset[str]
) -> Setting:
    return max(settings, key=lambda one: _mean(values[one], choosing))


def _mean(values: Values, choosing: frozenset[str], *, keep: bool = True) -> float:
    return mean(value for question, value in values.items() if (question in choosing) == keep)


def _line(
    method: str,
    setting: Setting,
    best_leg: Setting,
    values: Mapping[Setting, Values],
    choosing: frozenset[str],
) -> Line:
    def held_out(one: Setting) -> Values:
        return {key: value for key, value in values[one].items() if key not in choosing}

    return Line(
        method=method,
        chosen=setting,
        selected_on=_mean(values[setting], choosing),
        reported=_mean(values[setting], choosing, keep=False),
        against_usual=compared(held_out(USUAL), held_out(setting)),
        against_best_leg=compared(held_out(best_leg), held_out(setting)),
    )
