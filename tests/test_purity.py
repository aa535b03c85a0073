"""The pure rooms call no clock, file, print or randomness: what an import contract cannot see."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import recollect

ROOT = Path(recollect.__file__).parent
PURE = ("model", "ingest", "retrieve", "recipes")
FORBIDDEN_NAMES = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}
FORBIDDEN_METHODS = {
    "now", "utcnow", "today", "time", "monotonic", "perf_counter", "sleep", "random", "randint",
    "choice", "shuffle", "urandom", "uuid4", "read_text", "write_text", "read_bytes", "write_bytes",
    "getenv", "default_rng",
}  # fmt: skip


def pure_modules() -> list[Path]:
    return [
        ROOT / "ports.py",
        *(path for room in PURE for path in sorted((ROOT / room).rglob("*.py"))),
    ]


def impure_calls(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_NAMES:
                yield f"line {node.lineno}: {node.func.id}()"
            if isinstance(node.func, ast.Attribute) and node.func.attr in FORBIDDEN_METHODS:
                yield f"line {node.lineno}: .{node.func.attr}()"


@pytest.mark.parametrize("module", pure_modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_pure_room_calls_no_clock_file_print_or_randomness(module: Path) -> None:
    """R0.10"""
    assert list(impure_calls(module.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "datetime.now()",
        "open('x')",
        "print(1)",
        "random.random()",
        "time.time()",
        "np.random.default_rng(1)",
        "Path('x').read_text()",
    ],
)
def test_the_check_sees_what_it_looks_for(source: str) -> None:
    assert list(impure_calls(source))
