"""Bearer tokens: made once and shown once, kept as digests, each bound to the spaces it may see."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from recollect.model.errors import NotFound
from recollect.ports import Settings

OWNER: Final = "tokens"
PREFIX: Final = "rcl_"
SECRET_BYTES: Final = 32
"""With this much chance in it a token cannot be guessed from its digest, however fast the digest."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. `spaces` None: everything."""

    name: str
    spaces: frozenset[str] | None = None

    def sees(self, space: str) -> bool:
        return self.spaces is None or space in self.spaces


ANYONE: Final = Caller("anyone")


def make_token(settings: Settings, name: str, spaces: Iterable[str] | None) -> str:
    token = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    kept = {"digest": _digest(token), "spaces": None if spaces is None else sorted(set(spaces))}
    settings.change_settings(OWNER, {name: kept})
    return token


def revoke_token(settings: Settings, name: str) -> None:
    known = settings.settings(OWNER)
    if name not in known:
        raise NotFound("token", name, known)
    settings.change_settings(OWNER, {name: None})


def tokens(settings: Settings) -> Mapping[str, frozenset[str] | None]:
    """Each token's name with its spaces."""
    return {name: _spaces(kept) for name, kept in settings.settings(OWNER).items()}


def caller_with(settings: Settings, token: str) -> Caller | None:
    """Every digest is compared in full, so that time tells nothing about a near miss."""
    digest = _digest(token)
    found: Caller | None = None
    for name, kept in settings.settings(OWNER).items():
        if hmac.compare_digest(str(kept["digest"]), digest):
            found = Caller(name, _spaces(kept))
    return found


def _spaces(kept: Mapping[str, Any]) -> frozenset[str] | None:
    return None if kept["spaces"] is None else frozenset(kept["spaces"])


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
