"""Where a server is, in its own words; shown without its password, everywhere. Pure."""

import re
from dataclasses import dataclass
from urllib.parse import quote

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from recollect.model.errors import BadInput

_PORT = re.compile("[0-9,]*")
_HIDDEN = frozenset({"password", "sslpassword", "passfile"})


@dataclass(frozen=True, slots=True, repr=False)
class Address:
    """What libpq connects by, and what a person may read of it."""

    conninfo: str
    shown: str
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    def without_secrets(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, "…")
        return text


def address_of(text: str) -> Address:
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(text).items()}
    except ProgrammingError:  # its message repeats the address, with the password in it
        raise BadInput(
            "store",
            _scheme(text),
            "is no address of a Postgres; write postgresql://user:password@host:5432/database",
        ) from None
    if not _PORT.fullmatch(parts.get("port", "")) or "@" in parts.get("dbname", ""):
        why = "has no port where one belongs; in a password write / as %2F, @ as %40 and : as %3A"
        raise BadInput("store", _scheme(text), why)
    secrets = tuple(value for name, value in parts.items() if name in _HIDDEN and value)
    encoded = tuple(quote(secret, safe="") for secret in secrets)
    conninfo = make_conninfo("", **{"application_name": "recollect", **parts})
    return Address(conninfo, _shown(parts), tuple(dict.fromkeys((*secrets, *encoded))))


def _shown(parts: dict[str, str]) -> str:
    user = f"{parts['user']}@" if "user" in parts else ""
    host = parts.get("host", parts.get("hostaddr", ""))
    port = f":{parts['port']}" if "port" in parts else ""
    name = parts.get("dbname", "")
    if host.startswith("/"):  # a folder with a socket in it
        return f"postgresql://{user}/{name}?host={host}{'&port=' + parts['port'] if port else ''}"
    return f"postgresql://{user}{host}{port}/{name}"


def _scheme(text: str) -> str:
    scheme, separator, _ = text.partition("://")
    return f"{scheme}://…" if separator else "…"
