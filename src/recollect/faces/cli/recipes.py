"""`recollect recipes`: what there is to choose from, and each as TOML to start one's own with."""

import argparse
import json

from recollect.faces.cli.arguments import add_json, bare_command
from recollect.faces.cli.commands import Exit


def parser() -> argparse.ArgumentParser:
    own = bare_command(
        "recipes",
        "Lists the recipes, or shows one as TOML.",
        "start your own:  recollect recipes vault > mine.toml; recollect search --recipe mine.toml …",
    )
    own.add_argument("name", nargs="?", help="the recipe to show")
    add_json(own)
    return own


def run(given: argparse.Namespace) -> int:
    from recollect.recipes.shelf import KNOWN, recipe_named
    from recollect.recipes.toml import write_recipe

    if given.name:
        recipe = recipe_named(given.name)
        shape = {"name": recipe.name, "about": recipe.about, "toml": write_recipe(recipe)}
        print(json.dumps(shape) if given.json else shape["toml"].rstrip())
    elif given.json:
        print(json.dumps({name: recipe.about for name, recipe in KNOWN.items()}))
    else:
        for name, recipe in KNOWN.items():
            print(f"{name:<10} {recipe.about}")
    return Exit.OK
