"""`recollect eval sweep FOLDER`: R5.5 as one command."""

import argparse
from pathlib import Path

from recollect.faces.cli.commands import Exit
from recollect.faces.cli.eval_.options import (
    add_indexing,
    add_output,
    index,
    show,
    show_json,
    write_page,
)
from recollect.faces.cli.progress import Progress


def add_to(own: argparse.ArgumentParser) -> None:
    own.add_argument("folder", type=Path, help="a folder of collections, or one collection")
    own.add_argument("--only", default="", metavar="A,B", help="these collections of it")
    add_indexing(own)
    add_output(own)
    own.set_defaults(act=act)


def act(given: argparse.Namespace) -> int:
    from recollect.evaluate.collections import collections_in, is_collection, read_collection
    from recollect.evaluate.remembering import remembering
    from recollect.evaluate.report import sweep_dict, sweeps_page
    from recollect.evaluate.sweep import sweep
    from recollect.evaluate.tables import sweep_table, sweeps_summary
    from recollect.model.errors import NotFound

    folders = [given.folder] if is_collection(given.folder) else collections_in(given.folder)
    wanted = [name for name in given.only.split(",") if name]
    for name in wanted:
        if name not in (folder.name for folder in folders):
            raise NotFound("collection", name, (folder.name for folder in folders))
    sweeps = []
    for folder in folders:
        if wanted and folder.name not in wanted:
            continue
        collection = read_collection(folder)
        with (
            index(collection, given) as library,
            remembering(collection, library),
            Progress(collection.name, len(collection.questions)) as progress,
        ):
            sweeps.append(sweep(collection, library, progress.step))
        if not given.json:
            show(list(sweep_table(sweeps[-1])))
    if given.html:
        write_page(given, sweeps_page(sweeps))
    if given.json:
        show_json([sweep_dict(one) for one in sweeps])
    elif len(sweeps) > 1:
        show(list(sweeps_summary(sweeps)))
    return Exit.OK
