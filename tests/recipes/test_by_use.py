"""recollect-by-use: what is shown again and again and never read steps back."""

from recollect.recipes.shelf import RECOLLECT, RECOLLECT_BY_USE, recipe_named
from tests.building import NOW, ids, note
from tests.fakes import hits, scene


def test_it_is_recollect_but_for_one_leg() -> None:
    assert recipe_named("recollect-by-use") is RECOLLECT_BY_USE
    assert RECOLLECT_BY_USE.legs[:-1] == RECOLLECT.legs[:-1]
    assert RECOLLECT_BY_USE.legs[-1].weight == RECOLLECT.legs[-1].weight == 0.4


def test_uses_per_showing_decide_where_uses_alone_would_not() -> None:
    made = scene([note("ignored"), note("read")], meaning=hits("ignored", "read", scores=[1, 1]))
    for name, showings in (("ignored", 20), ("read", 2)):
        for _ in range(showings):
            made.store.usage.shown([name], NOW)
        made.store.usage.used([name], NOW)
    assert ids(made.ask(RECOLLECT)) == ["ignored", "read"]
    assert ids(made.ask(RECOLLECT_BY_USE)) == ["read", "ignored"]
