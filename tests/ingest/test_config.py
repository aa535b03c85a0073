"""A vault's config.toml: seed 003's settings, and a clear no to everything else (R3.4)."""

import pytest

from recollect.ingest.config import RetrievalSettings, VaultConfig, config_of
from recollect.ingest.globs import Globs
from recollect.model.errors import BadInput

SEED_003 = """
[retrieval]
fusion_algorithm = "rrf"
rrf_k = 60
backlink_boost_weight = 0.1
backlink_boost_cap = 10
recency_boost_enabled = true
recency_fresh_days = 14
recency_recent_days = 60
recency_old_days = 180
"""


def test_the_seeds_own_example_is_the_default() -> None:  # R3.4
    assert config_of(SEED_003) == VaultConfig() == config_of("")


def test_the_tiers_are_those_of_the_seed() -> None:  # R3.3
    default = RetrievalSettings()
    boosts = (
        default.recency_fresh_boost,
        default.recency_recent_boost,
        default.recency_standard_boost,
        default.recency_older_boost,
    )
    assert boosts == (1.20, 1.10, 1.00, 0.95)


def test_the_legacy_formula_has_its_own_weights() -> None:  # R3.1
    legacy = config_of('[retrieval]\nfusion_algorithm = "weighted"').retrieval
    assert (legacy.vector_weight, legacy.lexical_weight) == (1.0, 0.5)
    named = config_of('[retrieval]\nfusion_algorithm = "weighted"\nlexical_weight = 2')
    assert named.retrieval.lexical_weight == 2.0


def test_settings_of_the_folder_are_read() -> None:
    vault = config_of(
        '[vault]\nexclude = ["drafts/"]\nlink_style = "dendron"\npassage_size = 128\nmax_file_megabytes = 0.5'
    ).vault
    assert vault.exclude == ("drafts/",)
    assert vault.link_style == "dendron"
    assert vault.sizes.pieces == 128
    assert vault.max_file_bytes == 500_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[retrieval]\nrrf_k = 0", "retrieval.rrf_k: 0 is not a whole number from 1 to 10000"),
        ('[retrieval]\nrrf_k = "60"', "retrieval.rrf_k: '60' is not a whole number"),
        ("[retrieval]\nbacklink_boost_weight = -0.1", "retrieval.backlink_boost_weight: -0.1"),
        ("[retrieval]\nbacklink_boost_weight = nan", "is not a number from 0 to 10"),
        ('[retrieval]\nfusion_algorithm = "rff"', "'rff' is not one of rrf, weighted"),
        ("[retrieval]\nrecency_boost_enabled = 1", "1 is neither true nor false"),
        ("[retrieval]\nrecency_fresh_days = 90", "[90, 60, 180] do not rise from one to the next"),
        ("[retrieval]\nrrfk = 60", "retrieval.rrfk: 60 is no setting; known: backlink_boost_cap"),
        ("[retreival]\nrrf_k = 60", "is no setting; known: retrieval, vault"),
        ("retrieval = 3", "retrieval: 3 is no table"),
        ("[vault]\npassage_overlap = 200", "is more than half of passage_size"),
        ('[vault]\ninclude = "*.md"', "is no list of patterns"),
        ("[vault", "is where it stops being TOML"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_name_and_the_way_out(text: str, said: str) -> None:
    with pytest.raises(BadInput) as refusal:
        config_of(text)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.txt", "a/b.txt", True),
        ("*.txt", "a/b.txts", False),
        ("drafts", "a/drafts/x.md", True),
        ("drafts/", "drafts/x.md", True),
        ("a/drafts", "b/a/drafts/x.md", False),
        ("a/*.md", "a/b/c.md", False),
        ("a/**/c.md", "a/c.md", True),
        ("a/**/c.md", "a/b/b/c.md", True),
        ("a/**", "a/b/c.md", True),
        ("**/c.md", "c.md", True),
        ("?.md", "ab.md", False),
        ("[x].md", "[x].md", True),
        ("/a.md", "b/a.md", False),
    ],
)
def test_a_pattern_means_what_it_means_in_a_gitignore(
    pattern: str, path: str, matches: bool
) -> None:
    assert Globs([pattern]).match(path) is matches


def test_no_pattern_matches_nothing() -> None:
    assert not Globs([]).match("a.md")
