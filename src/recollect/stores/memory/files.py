"""What is remembered of files."""

from collections.abc import Iterable, Mapping

from recollect.stores.memory.state import State


class MemoryFiles:
    def __init__(self, state: State) -> None:
        self._state = state

    def files(self, space: str) -> Mapping[str, str]:
        return dict(self._state.files.get(space, {}))

    def remember_files(self, space: str, lines: Mapping[str, str]) -> None:
        self._state.files.setdefault(space, {}).update(lines)

    def forget_files(self, space: str, paths: Iterable[str]) -> None:
        own = self._state.files.get(space, {})
        for path in paths:
            own.pop(path, None)
