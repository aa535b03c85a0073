"""docs/vault.md says what the code does."""

import re
from pathlib import Path

from recollect.ingest.config import VaultConfig, config_of
from recollect.ingest.formats import READERS
from recollect.vault.remark import EXPLANATIONS

PAGE = (Path(__file__).parents[2] / "docs/vault.md").read_text(encoding="utf-8")


def test_the_settings_shown_are_the_defaults_and_all_of_them() -> None:
    shown = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert shown
    assert config_of(shown[1]) == VaultConfig()
    for settings in (VaultConfig().retrieval, VaultConfig().vault):
        assert all(f"\n{name} = " in shown[1] for name in settings.__slots__)


def test_every_reason_in_the_summary_is_explained() -> None:
    assert re.findall(
        r"^\| ([a-z0-9 -]+) \| ", PAGE.partition("## What is left out")[2], re.MULTILINE
    )[1:] == list(EXPLANATIONS)


def test_every_kind_of_file_is_named() -> None:
    assert all(f"`{suffix}`" in PAGE for suffix in READERS)
