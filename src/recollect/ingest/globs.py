"""Patterns of paths in, a yes or no per path out. Pure.

As in a .gitignore: `*` and `?` stay within a name, `**` crosses folders; a pattern without a slash
means that name in any folder, one with a slash starts at the vault; a folder stands for all in it.
"""

import re
from collections.abc import Iterable


class Globs:
    def __init__(self, patterns: Iterable[str]) -> None:
        self._matcher = re.compile("|".join(map(_expression, patterns)) or r"(?!)")

    def match(self, path: str) -> bool:
        return self._matcher.fullmatch(path) is not None


def _expression(pattern: str) -> str:
    rooted = "/" in pattern.rstrip("/")
    inner = "".join(
        map(_piece, re.findall(r"\*\*/|/\*\*$|\*\*|\*|\?|.", pattern.strip("/"), re.DOTALL))
    )
    return f"(?:{'' if rooted else '(?:.*/)?'}{inner}(?:/.*)?)"


def _piece(token: str) -> str:
    known = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return known.get(token) or re.escape(token)
