"""Writes the golden traces anew: `python -m tests.golden.write`. Read the diff before you commit it."""

from pathlib import Path

from recollect.recipes.shelf import SHELF
from recollect.retrieve.explain import explain_answer
from tests.golden.home import QUESTIONS, answer_of

FOLDER = Path(__file__).parent


def golden_text(recipe: str) -> str:
    question, _, _ = QUESTIONS[recipe]
    head = f"recipe {recipe}: {SHELF[recipe].about}\nquestion: {question}\n\n"
    return f"{head}{explain_answer(answer_of(recipe))}\n"


if __name__ == "__main__":
    for name in SHELF:
        (FOLDER / f"{name}.txt").write_text(golden_text(name), encoding="utf-8")
