"""Traps that shipped systems fell into; each test would have caught one."""

from dataclasses import replace

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.errors import StoreError
from recollect.model.note import Link
from recollect.model.query import Scope
from recollect.model.ranking import Hit
from recollect.model.tree import Phrase
from recollect.recipes.recipe import Recipe, Rerank
from recollect.recipes.shelf import BRAIN, CHAT, MEMORY, RECOLLECT, SHELF, VAULT
from recollect.retrieve.fuse import RRF, Convex, Distribution, fuse
from recollect.retrieve.ladder import STOP_WORDS
from recollect.retrieve.rank import ranking, ranks
from recollect.stores.memory import memory_store
from tests.building import NOW, Home, ids, note
from tests.fakes import OneVector, SaidJudge, hits, scene

ALL = [pytest.param(one.with_weights({"words": 1.0}), id=name) for name, one in SHELF.items()]


def test_the_best_of_many_matches_is_seen_though_it_was_stored_last() -> None:
    """A full-text LIMIT without an order keeps the first rows and never sees the best."""
    weak = [note(f"n{at:03}", "zeppelin " + "filler " * 30) for at in range(120)]
    best = note("z", "zeppelin zeppelin zeppelin")
    own = Home(memory_store()).learn(*weak, best)
    for recipe in (BRAIN, VAULT, MEMORY):
        assert ids(own.ask("zeppelin", recipe))[0] == "z"


@pytest.mark.parametrize("recipe", ALL)
def test_a_question_is_not_quoted_as_one_phrase(recipe: Recipe) -> None:
    """Lexical recall would be nothing, and hybrid would be vectors only."""
    own = Home(memory_store(), OneVector()).learn(note("a", "the zeppelin landed in Lakehurst"))
    answer = own.ask("where did the big zeppelin land?", recipe)
    assert answer.trace.leg_counts["words"] == 1
    assert answer.trace.attempts == ()


def test_no_recipe_sends_a_plain_question_as_a_phrase() -> None:
    for recipe in SHELF.values():
        made = scene([note("a")], meaning=hits("a"))
        made.ask(recipe, "where did it land", weights={"words": 1.0})
        assert not any(isinstance(tree, Phrase) for tree in made.words.trees)


@pytest.mark.parametrize("recipe", ALL)
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("機械学習の本", "学習"),
        ("Ελλάδα", "ελλαδα"),
        ("Москва", "москва"),
        ("naïve café", "naive CAFÉ"),
        ("cafe\u0301", "café"),
        ("한국어를 배운다", "한국어"),
        ("भाषा सीखना", "भाषा"),
        ("łódź", "ŁÓDŹ"),
        ("Straße", "STRASSE"),
    ],
)
def test_a_query_in_any_script_keeps_its_lexical_leg(recipe: Recipe, text: str, query: str) -> None:
    """Tokenising by [a-zA-Z0-9] loses it."""
    own = Home(memory_store(), OneVector()).learn(note("hit", text), note("miss", "elsewhere"))
    answer = own.ask(query, recipe)
    assert answer.trace.leg_counts["words"] == 1
    assert "words" in answer.results[0].legs
    assert ids(answer)[0] == "hit"


def test_a_boost_reaches_notes_beyond_the_limit() -> None:
    """Candidates cut to the limit before the boosts: the twelfth could never become the first."""
    crowd = [f"n{at:02}" for at in range(15)]
    linking = [note(f"l{at}", links=(Link("n11"),)) for at in range(10)]
    made = scene([*(note(name) for name in crowd), *linking], words=hits(*crowd))
    assert "n11" not in ids(made.ask(replace(VAULT, adjustments=()), limit=10))
    answer = made.ask(VAULT, limit=10)
    assert ids(answer)[0] == "n11"
    assert ids(made.ask(VAULT, limit=1)) == ["n11"]


def test_the_judge_reaches_notes_beyond_the_limit() -> None:
    """Candidates cut to the limit before the rerank."""
    crowd = [f"n{at:02}" for at in range(25)]
    notes = [note(name, title=f"title {name}") for name in crowd]
    judge = SaidJudge(marks={"n14": 1.0})
    made = scene(notes, words=hits(*crowd), judge=judge)
    assert ids(made.ask(BRAIN, limit=3)) == ["n14", "n00", "n01"]
    assert len(judge.texts) == 20
    shallow = replace(BRAIN, rerank=Rerank(top_n=10))
    assert ids(made.ask(shallow, limit=3)) == ["n00", "n01", "n02"]


@pytest.mark.parametrize("leg", ["words", "meaning"])
@pytest.mark.parametrize("recipe", ALL)
def test_a_leg_that_answers_worst_first_is_put_right(recipe: Recipe, leg: str) -> None:
    """Reciprocal ranks taken off an unordered answer reward the worst."""
    ascending = hits("worst", "middle", "best", scores=[0.1, 0.5, 0.9])
    notes = [note(name, path="same.md") for name in ("worst", "middle", "best")]
    made = scene(notes, **{leg: ascending})  # type: ignore[arg-type]
    made.vectors.recent = ["worst", "middle", "best"]
    if recipe.name == "recollect" and leg == "words":
        made.vectors.says = hits("worst", "middle", "best", scores=[0.5, 0.5, 0.5])
    answer = made.ask(recipe)
    assert ids(answer) == ["best", "middle", "worst"]
    assert [one.legs[leg].rank for one in answer.results] == [1, 2, 3]


def test_a_note_found_by_two_passages_counts_once() -> None:
    """Duplicates within one list counted twice."""
    twice = (Hit("a", 0.9, "a#0"), Hit("b", 0.8, "b#0"), Hit("a", 0.7, "a#1"), Hit("c", 0.6, "c#0"))
    made = scene([note(name) for name in "abc"], words=twice)
    answer = made.ask(BRAIN)
    assert [(one.note_id, one.score) for one in answer.results] == [
        ("a", 1 / 61),
        ("b", 1 / 62),
        ("c", 1 / 63),
    ]
    assert answer.results[0].id == "a#0"
    assert answer.trace.leg_counts["words"] == 3


def test_doubles_are_dropped_and_never_every_copy() -> None:
    """A deduplication that deleted all copies of what stood twice."""
    made = ranking("words", 1.0, [Hit("a", 0.5), Hit("a", 0.5), Hit("a", 0.9)])
    assert [(hit.note_id, hit.score) for hit in made.hits] == [("a", 0.9)]


@pytest.mark.parametrize("fusion", [RRF(), RRF(ranks="dense"), Convex(), Distribution()])
def test_a_missing_leg_is_not_rewarded(fusion: RRF | Convex | Distribution) -> None:
    """Found by both must beat found by one at the same place in it."""
    words = ranking("words", 1.0, [Hit("both", 5.0), Hit("other", 4.0), Hit("one", 3.0)], 0.0)
    meaning = ranking("meaning", 1.0, [Hit("other", 0.9), Hit("both", 0.1)], -1.0)
    scores = fuse(fusion, [words, meaning]).scores
    assert scores["both"] > scores["one"]
    alone = fuse(fusion, [words]).scores
    assert scores["one"] == alone["one"]


@pytest.mark.parametrize("recipe", ALL)
@pytest.mark.parametrize("leg", ["words", "meaning"])
def test_weights_of_a_query_are_used(recipe: Recipe, leg: str) -> None:
    """Weights parsed and never used."""
    made = scene([note("a"), note("b")], words=hits("a", "b"), meaning=hits("b", "a"))
    first = "a" if leg == "words" else "b"
    assert ids(made.ask(recipe, weights={leg: 5.0}))[0] == first
    assert ids(made.ask(recipe, weights={leg: 0.1}))[0] != first


@pytest.mark.parametrize(
    "query",
    [
        "alpha AND beta AND NOT gamma",
        "alpha AND beta NOT gamma",
        "alpha beta -gamma",
        "(alpha AND beta AND NOT gamma)",
        "((alpha beta) -gamma)",
        "(alpha -gamma) AND beta",
        "alpha NOT (gamma OR delta)",
        "alpha -(gamma OR delta)",
        "alpha -text:gamma",
        "alpha text:(-gamma)",
        '-gamma "alpha beta"',
        "NOT gamma alpha",
        "alpha NOT NOT beta -gamma",
    ],
)
@pytest.mark.parametrize("recipe", [BRAIN, VAULT, CHAT.with_weights({"words": 1.0})])
def test_what_was_excluded_is_returned_by_no_leg(recipe: Recipe, query: str) -> None:
    """Sent to the engine underneath as it stood, it was a syntax error, swallowed, and c came back."""
    own = Home(memory_store(), Hashing()).learn(
        note("good", "alpha beta", links=(Link("bad"),)),
        note("bad", "alpha beta gamma"),
    )
    answer = own.ask(query, recipe)
    assert ids(answer) == ["good"]
    assert "words" in answer.results[0].legs


def test_what_was_excluded_is_not_brought_back_by_links_or_a_retry() -> None:
    links = replace(BRAIN, legs=(*BRAIN.legs, MEMORY.legs[2]))
    own = Home(memory_store(), Hashing()).learn(
        note("good", "alpha", links=(Link("bad"),)), note("bad", "gamma", path="alpha.md")
    )
    assert ids(own.ask("alpha -gamma", links)) == ["good"]
    assert "bad" not in ids(own.ask("alphaa -gamma", links))


def test_twice_not_is_no_exclusion() -> None:
    own = Home(memory_store()).learn(note("a", "alpha gamma"), note("b", "alpha"))
    assert ids(own.ask("alpha AND NOT NOT gamma", BRAIN)) == ["a"]
    assert ids(own.ask("alpha AND NOT (NOT gamma)", BRAIN)) == ["a"]


def test_the_stop_list_holds_no_content_words() -> None:
    """list, watch, planning, record: real queries were lost to them."""
    for word in "list watch planning record note plan today meeting work call read data".split():
        assert word not in STOP_WORDS
    own = Home(memory_store()).learn(note("a", "my watch list"))
    assert ids(own.ask("watch", MEMORY)) == ["a"]


def test_dense_ranks_are_not_competition_ranks() -> None:
    assert ranks([3.0, 3.0, 2.0], "dense") == [1, 1, 2]
    made = scene(
        [note("a", age_days=1), note("b", age_days=1), note("c", age_days=2)],
        meaning=hits("a", "b", "c", scores=[0.9, 0.9, 0.9]),
    )
    found = {one.note_id: one.legs["created"].rank for one in made.ask(RECOLLECT).results}
    assert found == {"a": 1, "b": 1, "c": 2}


@pytest.mark.parametrize("recipe", ALL)
def test_a_narrow_scope_is_not_starved_by_a_crowd_outside_it(recipe: Recipe) -> None:
    """Post-filtering: the nearest hundred all belonged to others, and nothing was left."""
    crowd = [note(f"n{at:03}", "alpha alpha", session="crowd", age_days=1) for at in range(250)]
    lone = note("lone", "alpha and much else besides", session="lone", age_days=300)
    own = Home(memory_store(), Hashing()).learn(*crowd, lone)
    answer = own.ask("alpha", recipe, Scope.of("home", sessions=["lone"]), limit=1)
    assert ids(answer) == ["lone"]
    assert {"words", "meaning"} <= set(answer.results[0].legs)


def test_a_fall_back_to_keywords_is_never_silent() -> None:
    for recipe in (BRAIN, VAULT, MEMORY):
        own = Home(memory_store()).learn(note("a", "alpha"))
        answer = own.ask("alpha", recipe)
        assert [(one.part, one.code) for one in answer.degraded] == [("meaning", "absent")]
        assert all(one.why for one in answer.degraded)
        assert own.ask("alpha", recipe, mode="hybrid").trace.fell_back is True
        assert own.ask("alpha", recipe, mode="bm25").degraded == ()


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("leg", ["words", "meaning", "links"])
def test_a_score_that_is_no_number_is_refused(leg: str, score: float) -> None:
    """A NaN compares with nothing: it would leave the order to chance."""
    broken = (Hit("a", 0.5, "a#0"), Hit("b", score, "b#0"))
    found = {"words": hits("a"), "meaning": hits("a"), "links": hits("a")} | {leg: broken}
    made = scene(
        [note("a"), note("b")],
        words=found["words"],
        meaning=found["meaning"],
        links=found["links"],
    )
    with pytest.raises(StoreError, match=f"leg '{leg}' scored 'b'"):
        made.ask(MEMORY)


def test_importance_that_everyone_has_changes_no_order() -> None:
    """Inflated importance stops meaning anything, but must not start meaning something else."""
    names = [f"n{at}" for at in range(6)]
    for importance in (0.0, 0.9):
        made = scene(
            [note(name, importance=importance) for name in names],
            words=hits(*names),
            meaning=hits(*reversed(names[:3]), *names[3:]),
        )
        plain = ids(made.ask(replace(MEMORY, adjustments=())))
        assert ids(made.ask(MEMORY)) == plain


def test_one_query_is_never_answered_with_another_queries_answer() -> None:
    """A semantic cache served what was near enough."""
    own = Home(memory_store(), Hashing()).learn(note("a", "alpha"), note("b", "beta"))
    assert ids(own.ask("alpha", BRAIN))[0] == "a"
    assert ids(own.ask("beta", BRAIN))[0] == "b"
    own.store.writer.remove(["b"])
    assert "b" not in ids(own.ask("beta", BRAIN))


def test_an_exact_old_hit_is_not_buried_by_recency() -> None:
    crowd = [note(f"n{at}", f"notes of day {at}", age_days=at) for at in range(20)]
    old = note("old", "the zeppelin manual", age_days=3000)
    own = Home(memory_store(), Hashing()).learn(*crowd, old)
    for recipe in (VAULT, RECOLLECT, BRAIN, MEMORY):
        assert ids(own.ask("zeppelin manual", recipe))[0] == "old"
    assert old.created_at < NOW


def test_an_unlinked_bare_name_lifts_nobody() -> None:
    """A link counts for the note it means; one that means none counts for none."""
    made = scene([note("hub"), note("x", links=(Link("hub.md"), Link("Hub")))], words=hits("hub"))
    assert made.ask(replace(VAULT, adjustments=VAULT.adjustments[:1])).results[0].score == 1 / 61
