"""The command line. An agent waits for `recollect hook` at every prompt and for `recollect mcp` when it
starts: those answer before anything else is imported."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["hook"]:
        from recollect.faces.cli.hook import at_once

        if (done := at_once(words[1:])) is not None:
            return done
    if words[:1] == ["mcp"]:
        from recollect.faces.mcp.door import is_for_stdio, meet

        if is_for_stdio(words[1:]):
            meet()
    from recollect.faces.cli.run import run

    return run(words)
