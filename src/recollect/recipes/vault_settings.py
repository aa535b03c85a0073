"""A vault's `[retrieval]` settings in, the vault recipe with those numbers out (R3.4). Pure."""

from dataclasses import replace

from recollect.ingest.config import RetrievalSettings
from recollect.recipes.recipe import AnyFusion, Recipe
from recollect.recipes.shelf import VAULT
from recollect.retrieve.adjust import AgeTiers, Backlinks
from recollect.retrieve.fuse import RRF, Weighted


def vault_recipe(settings: RetrievalSettings) -> Recipe:
    weighted = VAULT.with_weights(
        {"words": settings.lexical_weight, "meaning": settings.vector_weight}
    )
    fusion: AnyFusion = (
        Weighted() if settings.fusion_algorithm == "weighted" else RRF(k=settings.rrf_k)
    )
    backlinks = Backlinks(
        weight=settings.backlink_boost_weight,
        cap=settings.backlink_boost_cap,
        enabled=settings.backlink_boost_weight > 0,
    )
    age = AgeTiers(
        fresh_days=settings.recency_fresh_days,
        recent_days=settings.recency_recent_days,
        old_days=settings.recency_old_days,
        fresh=settings.recency_fresh_boost,
        recent=settings.recency_recent_boost,
        standard=settings.recency_standard_boost,
        older=settings.recency_older_boost,
        enabled=settings.recency_boost_enabled,
    )
    return replace(weighted, fusion=fusion, adjustments=(backlinks, age))
