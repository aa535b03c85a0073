"""Seed 002, the retry ladder: every rung, every row, and the words it is made of."""

from dataclasses import replace

import pytest

from recollect.encoders.hashing import Hashing
from recollect.model.answer import Attempt
from recollect.recipes.shelf import BRAIN
from recollect.retrieve.ladder import STOP_WORDS, Rung, query_terms, rungs, sanitise, strongest_term
from recollect.retrieve.trigram import THRESHOLD, grams, jaccard, resemblance, slug_text
from recollect.stores.memory import memory_store
from tests.building import EVERYTHING, Home, hit_ids, ids, note
from tests.fakes import hits, scene


@pytest.mark.parametrize(
    ("query", "clean"),
    [
        ("what's up?", "what s up"),
        ("C++ / Rust", "C Rust"),
        ("a -- b", "a b"),
        ("price: 5€ & 3$", "price 5 3"),
        ("«guillemets» „quotes“", "guillemets quotes"),
        ("snake_case", "snake case"),
        ("  spaces\t\n everywhere  ", "spaces everywhere"),
        ("日本語。テスト！", "日本語 テスト"),
        ("!!! ???", ""),
        ("", ""),
    ],
)
def test_sanitising_turns_every_run_of_punctuation_and_symbols_into_a_space(
    query: str, clean: str
) -> None:
    """R2.10"""
    assert sanitise(query) == clean


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("how do I upgrade kubernetes", "kubernetes"),
        ("the THE Then", None),
        ("ab cd ef", None),
        ("abc de", "abc"),
        ("one two", "one"),
        ("what's the kubernetes-upgrade?", "kubernetes"),
        ("de het een en of", None),
        ("het verjaardagsfeest", "verjaardagsfeest"),
        ("", None),
        ("watch list planning", "planning"),
    ],
)
def test_the_strongest_term_is_the_longest_that_means_something(
    query: str, term: str | None
) -> None:
    """R2.10: at least three characters, no stop word, the first of equals"""
    assert strongest_term(query) == term


def test_the_stop_words_are_function_words_and_the_dutch_overlap() -> None:
    """R2.10"""
    assert {"de", "het", "een", "en", "of", "the", "and", "what", "how"} <= STOP_WORDS
    content = {"list", "watch", "planning", "record", "count", "total", "time", "work", "use"}
    assert STOP_WORDS.isdisjoint(content)


def test_all_rungs_in_their_order() -> None:
    """R2.9"""
    assert list(rungs("How do I UPGRADE k8s?!")) == [
        Rung("strongest_term", "upgrade"),
        Rung("refreshed_sanitised", "How do I UPGRADE k8s"),
        Rung("refreshed_strongest", "upgrade"),
        Rung("trigram_fuzzy", "upgrade k8s"),
    ]


@pytest.mark.parametrize(
    ("query", "strategies"),
    [
        ("kubernetes", ["refreshed_sanitised", "refreshed_strongest", "trigram_fuzzy"]),
        ("  Kubernetes ", ["refreshed_sanitised", "refreshed_strongest", "trigram_fuzzy"]),
        (
            "kubernetes?",
            ["strongest_term", "refreshed_sanitised", "refreshed_strongest", "trigram_fuzzy"],
        ),
        ("the of", ["refreshed_sanitised"]),
        ("ab", ["refreshed_sanitised"]),
        ("?!", []),
    ],
)
def test_a_vacuous_rung_is_silent(query: str, strategies: list[str]) -> None:
    """R2.9"""
    assert [rung.strategy for rung in rungs(query)] == strategies


def test_an_exhausted_ladder_leaves_a_row_for_every_rung() -> None:
    """R2.9"""
    answer = scene([note("a")]).ask(BRAIN, "zeppelin, anyone?")
    assert answer.trace.attempts == (
        Attempt("initial", "Or(nodes=(Word(text='zeppelin'), Word(text='anyone')))", 0),
        Attempt("strongest_term", "zeppelin", 0),
        Attempt("refreshed_sanitised", "zeppelin anyone", 0),
        Attempt("refreshed_strongest", "zeppelin", 0),
        Attempt("trigram_fuzzy", "zeppelin anyone", 0),
    )
    assert answer.trace.rerank_skipped_reason == "empty_candidates"


def test_the_ladder_stops_at_the_first_rung_that_finds() -> None:
    """R2.9"""
    own = Home(memory_store()).learn(note("a", "about zeppelins"))
    answer = own.ask('"zeppelin anyone"', BRAIN)
    assert ids(answer) == ["a"]
    assert answer.trace.attempts == (
        Attempt("initial", '"zeppelin anyone"', 0),
        Attempt("strongest_term", "zeppelin", 1),
    )


def test_the_sanitised_rung_finds_what_an_operator_hid() -> None:
    """R2.9: the third rung drops the punctuation that made the query strict."""
    own = Home(memory_store()).learn(note("a", "of mice and men"))
    answer = own.ask('"men and mice of"', BRAIN)
    assert ids(answer) == ["a"]
    assert [(one.strategy, one.hits) for one in answer.trace.attempts] == [
        ("initial", 0),
        ("strongest_term", 1),
    ]
    answer = own.ask('"and of"', BRAIN)
    assert [(one.strategy, one.query, one.hits) for one in answer.trace.attempts] == [
        ("initial", '"and of"', 0),
        ("refreshed_sanitised", "and of", 1),
    ]


def test_the_last_rung_goes_by_the_look_of_the_path() -> None:
    """R2.9, R2.10"""
    own = Home(memory_store()).learn(note("a", "x", path="ops/kubernetes.md"))
    answer = own.ask("kubernettes", BRAIN)
    assert ids(answer) == ["a"]
    assert answer.trace.attempts[-1] == Attempt("trigram_fuzzy", "kubernettes", 1)
    assert answer.results[0].legs["words"].score == pytest.approx(9 / 12)


def test_skipping_the_ladder_is_honoured() -> None:
    """R2.9"""
    made = scene([note("a")])
    answer = made.ask(BRAIN, "zeppelin anyone", skip_retry_ladder=True)
    assert (made.words.calls, made.slugs.calls, answer.trace.attempts) == (1, 0, ())


def test_an_error_in_the_first_call_skips_the_ladder_and_names_its_stage() -> None:
    """R2.9"""
    made = scene([note("m")], meaning=hits("m"))
    made.words.error = RuntimeError("disk I/O error")
    answer = made.ask(BRAIN, "zeppelin anyone")
    assert (made.words.calls, made.slugs.calls) == (1, 0)
    assert answer.trace.error_stage == "bm25"
    assert answer.trace.attempts == ()
    assert ids(answer) == ["m"]
    assert [(one.part, one.code) for one in answer.degraded] == [("words", "failed")]


def test_an_exhausted_ladder_goes_on_with_the_vectors() -> None:
    """R2.10"""
    made = scene([note("m"), note("n")], meaning=hits("m", "n"))
    answer = made.ask(BRAIN, "zeppelin anyone")
    assert [one.score for one in answer.results] == [1 / 61, 1 / 62]
    assert len(answer.trace.attempts) == 5
    assert answer.trace.leg_counts == {"words": 0, "meaning": 2}


def test_without_slugs_the_last_rung_finds_nothing_and_still_leaves_its_row() -> None:
    """R2.9"""
    own = Home(memory_store()).learn(note("a", "x", path="kubernetes.md"))
    ports = own.store._replace(slugs=None)  # type: ignore[arg-type]
    answer = replace(own, store=ports).ask("kubernettes", BRAIN)
    assert answer.trace.attempts[-1] == Attempt("trigram_fuzzy", "kubernettes", 0)


def test_the_last_rung_is_cut_to_the_candidates_depth() -> None:
    """R2.10: candidateK 60"""
    many = [note(f"n{at:03}", "x", path=f"{at:03}/kubernetes.md") for at in range(80)]
    answer = Home(memory_store(), Hashing()).learn(*many).ask("kubernettes", BRAIN, mode="bm25")
    assert answer.trace.attempts[-1].hits == 60


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("wiki/Kubernetes-Upgrade_Notes.md", "kubernetes upgrade notes"),
        ("a/b/c.md", "c"),
        ("plain", "plain"),
        ("dir.md/file.txt", "file txt"),
        ("x.md.md", "x md"),
        ("été/Où-est.md", "où est"),
        ("", ""),
    ],
)
def test_a_slug_is_the_last_part_of_a_path_in_plain_words(path: str, slug: str) -> None:
    """R2.10"""
    assert slug_text(path) == slug


def test_grams_and_jaccard_by_hand() -> None:
    """R2.10: `$`-padded 3-grams, |A ∩ B| / |A ∪ B|"""
    assert grams("cat") == {"$ca", "cat", "at$"}
    assert grams("a") == {"$a$"}
    assert grams("a cat") == {"$a$", "$ca", "cat", "at$"}
    assert grams("") == frozenset()
    assert jaccard(grams("cat"), grams("cart")) == pytest.approx(1 / 6)
    assert jaccard(grams("cat"), grams("cat")) == 1.0
    assert jaccard(frozenset(), grams("cat")) == 0.0
    assert jaccard(frozenset(), frozenset()) == 0.0


def test_a_slug_resembles_by_its_most_alike_word() -> None:
    """R2.10: against any query token, not against all of them together"""
    assert resemblance(["zzz", "cat"], "x/cat.md") == 1.0
    assert resemblance(["cat"], "x/cat-dog.md") == pytest.approx(3 / 6)
    assert resemblance([], "cat.md") == 0.0
    assert THRESHOLD == 0.3


def test_the_threshold_is_reached_at_exactly_three_tenths() -> None:
    """R2.10: Jaccard >= 0.3; three of ten grams are enough, three of eleven are not"""
    store = memory_store()
    Home(store).learn(
        note("exact", "x", path="abcdefghi.md"), note("below", "x", path="abcdefghij.md")
    )
    assert jaccard(grams("abcd"), grams("abcdefghi")) == 3 / 10
    assert jaccard(grams("abcd"), grams("abcdefghij")) == 3 / 11
    assert hit_ids(store.slugs.resembling(["abcd"], EVERYTHING, 9)) == ["exact"]


def test_terms_come_once_each_in_their_order() -> None:
    """R2.10"""
    assert query_terms("Red car, red CAR and the boat!") == ("red", "car", "boat")


@pytest.mark.parametrize("odd", ["\u200b" * 4, "\u0301" * 4, "\ue000" * 4])
def test_a_term_that_names_nothing_finds_nothing_and_breaks_nothing(odd: str) -> None:
    """R2.9: the longest term may be one of invisible characters."""
    made = scene([note("m")], meaning=hits("m"))
    answer = made.ask(BRAIN, f"abc {odd}")
    assert ids(answer) == ["m"]
    assert answer.degraded == ()
    assert [one.strategy for one in answer.trace.attempts][:2] == ["initial", "strongest_term"]


def test_a_pasted_file_compares_only_its_first_terms_with_the_paths() -> None:
    """R2.10"""
    made = scene([note("a")])
    made.ask(BRAIN, " ".join(f"word{at}" for at in range(1000)))
    assert made.slugs.words == [tuple(f"word{at}" for at in range(256))]
