"""The command line. An agent's every prompt waits for `recollect hook`: that one is answered before
anything else is imported."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["hook"]:
        from recollect.faces.cli.hook import at_once

        if (done := at_once(words[1:])) is not None:
            return done
    from recollect.faces.cli.run import run

    return run(words)
