"""Links as written in, the notes they mean out. Pure: look-ups only, never a walk over the vault.

A name is resolved as Obsidian does it: the exact path, else whichever note's path ends that way, in
any case; the nearest of several (same folder first, then the closest common folder, then the
shortest path). Where no file has the name, a note with that alias is meant, then one so titled.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

from recollect.ingest.page import Mention
from recollect.ingest.paths import folder_of, joined, key_of, without_markdown_suffix
from recollect.ingest.record import FileRecord
from recollect.model.note import Link

LinkStyle = Literal["obsidian", "dendron"]
"""Which side of the bar is the target: `[[target|label]]` or `[[label|target]]`."""

ATTACHMENTS: Final = frozenset(
    (
        "avif", "base", "bmp", "canvas", "css", "csv", "doc", "docx", "flac", "gif", "ico", "jpeg",
        "jpg", "js", "json", "m4a", "mkv", "mov", "mp3", "mp4", "odt", "ogg", "ogv", "opus", "pdf",
        "png", "ppt", "pptx", "py", "svg", "tif", "tiff", "toml", "ts", "wav", "webm", "webp",
        "xls", "xlsx", "xml", "yaml", "yml", "zip",
    )
)  # fmt: skip
"""What a link may point to that is no note, however it is spelled."""

_DENDRON: Final = "dendron://"


class Names:
    """Every name a vault's notes go by. A name that several notes bear means the nearest one."""

    def __init__(self, records: Iterable[FileRecord]) -> None:
        self._paths: dict[str, list[str]] = {}
        self._aliases: dict[str, list[str]] = {}
        self._titles: dict[str, list[str]] = {}
        self._exact: dict[str, str] = {}
        self._nearest: dict[str, dict[str, str]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        for record in records:
            self._add(record)

    def find(self, target: str, source: str) -> str | None:
        """The path of the note that `target` means in the note at `source`."""
        folder = folder_of(source)
        if (target, folder) not in self._found:
            self._found[target, folder] = self._looked_up(target, folder)
        return self._found[target, folder]

    def _looked_up(self, target: str, folder: str) -> str | None:
        name = _plain(target)
        if name.startswith(("./", "../")):
            there = joined(folder, name)
            found = self._exact.get(_key(there)) if there else None
            if found or name.startswith("../"):
                return found
            name = name[2:]
        key = _key(name.strip("/"))
        if not key:
            return None
        if "/" in name and key in self._exact:
            return self._exact[key]
        return self._by_name(key, key_of(folder))

    def _by_name(self, key: str, folder: str) -> str | None:
        for kind, table in enumerate((self._paths, self._aliases, self._titles)):
            bearers = table.get(key)
            if bearers:
                return (
                    bearers[0] if len(bearers) == 1 else self._near(f"{kind}{key}", bearers, folder)
                )
        return None

    def _near(self, name: str, bearers: list[str], folder: str) -> str:
        """Made once per name that needs it: for every folder above a bearer, the best one below."""
        best = self._nearest.get(name)
        if best is None:
            best = self._nearest[name] = {}
            for path in sorted(bearers, key=_shortest):
                for above in _with_ancestors(key_of(folder_of(path))):
                    best.setdefault(above, path)
        return next(best[above] for above in _with_ancestors(folder) if above in best)

    def _add(self, record: FileRecord) -> None:
        key = _key(record.path)
        self._exact.setdefault(key, record.path)
        for ending in _endings(key):
            self._paths.setdefault(ending, []).append(record.path)
        for alias in {key_of(alias) for alias in record.aliases}:
            self._aliases.setdefault(alias, []).append(record.path)
        if record.title:
            self._titles.setdefault(key_of(record.title), []).append(record.path)


def style_of(records: Iterable[FileRecord], names: Names) -> LinkStyle:
    """Which side of the bar resolves where only one does, by majority over the vault."""
    votes = 0
    for record in records:
        for mention in record.mentions:
            if mention.label:
                left = names.find(mention.target, record.path) is not None
                right = names.find(_unanchored(mention.label), record.path) is not None
                votes += left - right
    return "dendron" if votes < 0 else "obsidian"


def links_of(
    record: FileRecord, names: Names, ids: Mapping[str, str], style: LinkStyle
) -> tuple[Link, ...]:
    """One link per note meant and kind. A note's link to itself says nothing and is left out."""
    found = (
        (names.find(target_of(mention, style), record.path), mention.kind)
        for mention in record.mentions
    )
    links = (Link(ids[path], kind) for path, kind in found if path and path != record.path)
    return tuple(dict.fromkeys(links))


def target_of(mention: Mention, style: LinkStyle) -> str:
    if style == "dendron" and mention.label:
        return _unanchored(mention.label)
    return mention.target


def names_attachment(target: str) -> bool:
    """Whether a target is a picture or the like: no note, and so no missing one either."""
    return target.rpartition(".")[2].lower() in ATTACHMENTS


def _plain(target: str) -> str:
    if target.startswith(_DENDRON):
        return target[len(_DENDRON) :].partition("/")[2]
    return target


def _unanchored(target: str) -> str:
    return target.partition("#")[0].strip()


def _key(path: str) -> str:
    return key_of(without_markdown_suffix(path))


def _endings(path: str) -> Iterator[str]:
    """`a/b/c`, `b/c`, `c`."""
    while path:
        yield path
        path = path.partition("/")[2]


def _with_ancestors(folder: str) -> Iterator[str]:
    """`a/b`, `a`, and the vault itself."""
    while folder:
        yield folder
        folder = folder_of(folder)
    yield ""


def _shortest(path: str) -> tuple[int, int, str]:
    return path.count("/"), len(path), path
