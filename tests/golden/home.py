"""A small made-up memory, and one question for every recipe: what the golden traces are made of."""

from collections.abc import Sequence

from recollect.encoders.hashing import Hashing
from recollect.model.answer import Answer
from recollect.model.note import Link
from recollect.model.query import Scope
from recollect.recipes.shelf import SHELF
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, NOW, Home, note

NOTES = (
    note(
        "coffee",
        "I bought the small grinder for the kitchen. [date: 2026-02-20] It was 80 euros.",
        title="Coffee grinder",
        path="memory/global/milestone-coffee-grinder.md",
        age_days=9,
        importance=0.8,
        session="s1",
        tags=("home",),
        links=(Link("beans"),),
    ),
    note(
        "beans",
        "She prefers dark beans, and likes them ground fine for the small grinder.",
        title="Coffee beans",
        summary="Which beans to buy",
        path="memory/global/user-preference-coffee-beans.md",
        age_days=40,
        session="s1",
        tags=("home",),
    ),
    note(
        "guide",
        "A guide with tips on how to clean a grinder, an overview of brushes and of burrs.",
        title="Cleaning guide",
        path="reference/cleaning-guide.md",
        age_days=200,
        session="s2",
        links=(Link("coffee"), Link("beans")),
    ),
    note(
        "budget",
        "Recap of the year: in total we spent 400 euros on the kitchen, the grinder included.",
        title="Kitchen budget",
        path="reference/kitchen-budget.md",
        age_days=61,
        session="s2",
        links=(Link("coffee"),),
    ),
    note(
        "bread",
        "Knead the dough by hand, let it rest for a night, bake it hot.",
        title="Sourdough",
        path="reference/sourdough.md",
        age_days=14,
        session="s3",
    ),
    note(
        "café",
        "Das Café am Markt hat die besten Bohnen; der Müller mahlt sie fein. 咖啡很好喝。",
        title="Café am Markt",
        path="places/cafe-am-markt.md",
        age_days=3,
        session="s1",
    ),
)

QUESTIONS: dict[str, tuple[str, Scope, dict[str, object]]] = {
    "recollect": ("which grinder did I buy for the kitchen?", EVERYTHING, {}),
    "memory": ("grinder for coffee beans", EVERYTHING, {}),
    "brain": ('how many euros were "in totall" AND spent, any tips?', EVERYTHING, {}),
    "vault": ("coffee grinder -budget", EVERYTHING, {}),
    "chat": (
        "beans for the grinder",
        Scope.of("home", sessions=["s1", "s2"], excluded=["guide"]),
        {"weights": {"words": 1.0}},
    ),
}


class LongestFirst:
    """A judge with a simple taste, so that its verdict can be checked by eye."""

    identity = "longest-first"
    may_wait = False

    def judge(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(len(text)) for text in texts]


def answer_of(recipe: str) -> Answer:
    home = Home(memory_store(), Hashing(), LongestFirst()).learn(*NOTES)
    home.store.usage.used(["beans", "guide"], NOW)
    text, scope, rest = QUESTIONS[recipe]
    return home.ask(text, SHELF[recipe], scope, **rest)
