"""A vault's settings become the vault recipe's numbers (R3.4), and nothing else changes."""

from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from recollect.ingest.config import RetrievalSettings, config_of
from recollect.recipes.shelf import VAULT
from recollect.recipes.vault_settings import vault_recipe
from recollect.retrieve.adjust import AgeTiers, Backlinks
from recollect.retrieve.fuse import RRF, Weighted


def test_the_default_settings_are_the_vault_recipe_itself() -> None:
    assert vault_recipe(RetrievalSettings()) == VAULT


@given(st.floats(0, 5), st.floats(0, 5), st.integers(1, 1000))
def test_weights_and_k_arrive_as_they_are(words: float, meaning: float, k: int) -> None:
    settings = RetrievalSettings(lexical_weight=words, vector_weight=meaning, rrf_k=k)
    made = vault_recipe(settings)
    assert {leg.name: leg.weight for leg in made.legs} == {"words": words, "meaning": meaning}
    assert made.fusion == RRF(k=k)


def test_the_legacy_formula_is_a_choice_and_halves_the_words() -> None:
    made = vault_recipe(config_of('[retrieval]\nfusion_algorithm = "weighted"\n').retrieval)
    assert made.fusion == Weighted()
    assert [leg.weight for leg in made.legs if leg.name == "words"] == [0.5]


def test_a_backlink_weight_of_nothing_switches_backlinks_off() -> None:
    backlinks, _ = vault_recipe(RetrievalSettings(backlink_boost_weight=0)).adjustments
    assert isinstance(backlinks, Backlinks)
    assert not backlinks.enabled


def test_ages_arrive_tier_by_tier() -> None:
    settings = RetrievalSettings(
        recency_boost_enabled=False,
        recency_fresh_days=1,
        recency_recent_days=2,
        recency_old_days=3,
        recency_fresh_boost=1.4,
        recency_recent_boost=1.3,
        recency_standard_boost=1.2,
        recency_older_boost=1.1,
    )
    _, age = vault_recipe(settings).adjustments
    assert age == AgeTiers(1, 2, 3, 1.4, 1.3, 1.2, 1.1, enabled=False)


def test_whatever_is_set_changes_only_legs_fusion_and_adjustments() -> None:
    made = vault_recipe(RetrievalSettings(rrf_k=7, vector_weight=0.3, recency_boost_enabled=False))
    theirs = {"legs", "fusion", "adjustments"}
    same = {field.name: getattr(VAULT, field.name) for field in fields(VAULT)}
    changed = {name: value for name, value in same.items() if name in theirs}
    assert replace(made, **changed) == VAULT
