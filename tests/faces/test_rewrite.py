"""Settings rewritten: they mean what they should, and what stays is as it was written."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recollect.faces.hook.rewrite import rewrite
from recollect.faces.hook.settings import with_hooks, without_hooks
from tests.faces.test_hook_install import COMMANDS

INDENTS = st.sampled_from([None, 1, 4, "\t"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=6))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
HOOK = st.fixed_dictionaries({"command": st.sampled_from(["say hi", "check"])})
GROUP = st.fixed_dictionaries(
    {"hooks": st.lists(HOOK, max_size=2)}, optional={"matcher": st.text(max_size=3)}
)
HOOKS = st.dictionaries(
    st.sampled_from([*COMMANDS, "Stop"]), st.lists(GROUP, max_size=2), min_size=1, max_size=3
)


@given(VALUES, VALUES, INDENTS)
def test_any_text_comes_to_mean_any_value(old: Any, new: Any, indent: Any) -> None:
    assert json.loads(rewrite(json.dumps(old, indent=indent), new)) == new


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=3), st.none() | HOOKS, INDENTS)
def test_installed_and_uninstalled_leaves_no_trace(own: Any, hooks: Any, indent: Any) -> None:
    settings = {"first": 1, **own} | ({} if hooks is None else {"hooks": hooks})
    if not isinstance(settings.get("hooks", {}), dict):
        del settings["hooks"]
    text = json.dumps(settings, indent=indent)
    installed = with_hooks(settings, COMMANDS)
    written = rewrite(text, installed)
    assert json.loads(written) == installed
    removed = without_hooks(installed)
    if removed == settings:  # but for what was empty before
        assert rewrite(written, removed) == text
