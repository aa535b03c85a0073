"""The text of a vault's config.toml with every setting at its default: what `init` writes. Pure."""

from typing import Final

CONFIG_TEXT: Final = """\
# How Recollect reads and ranks this folder of notes. Every line shows a default; change what you like.

[vault]
# include = ["**/*.md"]         # empty: every markdown, text and HTML file
# exclude = ["templates/**"]
# link_style = "auto"           # "obsidian" [[target|label]], "dendron" [[label|target]]
# passage_size = 224            # word pieces a passage may have
# passage_overlap = 32
# max_file_megabytes = 10

[retrieval]
# fusion_algorithm = "rrf"      # or "weighted": the legacy sum of raw scores
# rrf_k = 60
# vector_weight = 1.0           # 0 to 5; 0 switches a leg off
# lexical_weight = 1.0
# backlink_boost_weight = 0.1   # per note that links here; 0 switches it off
# backlink_boost_cap = 10
# recency_boost_enabled = true
# recency_fresh_days = 14
# recency_recent_days = 60
# recency_old_days = 180
# recency_fresh_boost = 1.20
# recency_recent_boost = 1.10
# recency_standard_boost = 1.00
# recency_older_boost = 0.95
"""
