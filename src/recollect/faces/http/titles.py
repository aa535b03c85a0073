"""What sessions and projects are called, kept beside their ids."""

import json
from collections.abc import Mapping
from typing import Literal

from recollect.ports import Settings

Kind = Literal["sessions", "projects"]


def titles(settings: Settings, kind: Kind, space: str) -> Mapping[str, str]:
    return settings.settings(_owner(kind, space))


def entitle(settings: Settings, kind: Kind, space: str, name: str, title: str | None) -> None:
    """None takes the title away."""
    settings.change_settings(_owner(kind, space), {name: title})


def _owner(kind: Kind, space: str) -> str:
    return json.dumps([kind, space])
