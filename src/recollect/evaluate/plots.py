"""Numbers in, SVG out, to stand inside a page. Pure; no script, no font, nothing fetched."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 220
MARGIN: Final = 52
COLOURS: Final = ("#2463a6", "#c4622d", "#3b8254", "#8a4a9e", "#8c7318", "#4a7a8c")
BAR: Final = 18


def bars(rows: Mapping[str, Mapping[str, float]]) -> str:
    """One group of bars for each row, one bar for each system; the same scale for all."""
    if not rows:
        return ""
    most = max((value for own in rows.values() for value in own.values()), default=0.0) or 1.0
    drawn: list[str] = []
    y = 0
    for name, own in rows.items():
        drawn.append(_text(0, y + 14, name, "group"))
        y += 20
        for at, (system, value) in enumerate(own.items()):
            length = (WIDTH - 320) * value / most
            drawn.append(
                f'<rect x="200" y="{y}" width="{length:.1f}" height="{BAR - 4}"'
                f' fill="{_colour(at)}"/>'
            )
            drawn.append(_text(192, y + 12, system, "end"))
            drawn.append(_text(206 + length, y + 12, f"{value:.3f}"))
            y += BAR
        y += 6
    return _svg(drawn, WIDTH, y)


def lines(series: Mapping[str, Mapping[float, float]], axis: str) -> str:
    """One line for each series; the scale of the values begins just below the least."""
    points = [point for own in series.values() for point in own.items()]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    pad = (high - low) * 0.08 or 0.01
    low, high = low - pad, high + pad

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - left) / ((right - left) or 1.0)
        up = (y - low) / (high - low)
        return MARGIN + across * (WIDTH - 200), HEIGHT - MARGIN - up * (HEIGHT - MARGIN - 12)

    drawn = _frame(axis, (left, right), (low, high))
    for at, (name, own) in enumerate(series.items()):
        spots = [place(x, y) for x, y in sorted(own.items())]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        drawn.append(
            f'<polyline points="{path}" fill="none" stroke="{_colour(at)}" stroke-width="2"/>'
        )
        drawn.append(_text(WIDTH - 148, 16 + at * 16, name, colour=_colour(at)))
    return _svg(drawn, WIDTH, HEIGHT)


def changes(values: Sequence[float]) -> str:
    """One thin bar for each question, the greatest gain first: up is won, down is lost."""
    if not values:
        return ""
    most = max(map(abs, values)) or 1.0
    middle, reach = HEIGHT / 2, HEIGHT / 2 - 12
    step = (WIDTH - 60) / len(values)
    drawn = [f'<line x1="40" x2="{WIDTH}" y1="{middle}" y2="{middle}" class="axis"/>']
    for at, value in enumerate(sorted(values, reverse=True)):
        height = abs(value) / most * reach
        top = middle - height if value > 0 else middle
        drawn.append(
            f'<rect x="{44 + at * step:.2f}" y="{top:.1f}" width="{max(step, 0.5):.2f}"'
            f' height="{height:.1f}" fill="{COLOURS[2] if value > 0 else COLOURS[1]}"/>'
        )
    drawn += [_text(0, 16, f"+{most:.2f}"), _text(0, HEIGHT - 6, f"−{most:.2f}")]
    return _svg(drawn, WIDTH, HEIGHT)


def histogram(values: Iterable[float], unit: str, columns: int = 40) -> str:
    """How often a value falls into each of equally wide columns."""
    own = sorted(values)
    if not own:
        return ""
    least, most = own[0], own[-1]
    width = (most - least) / columns or 1.0
    counted = [0] * columns
    for value in own:
        counted[min(columns - 1, int((value - least) / width))] += 1
    step = (WIDTH - 200) / columns
    room = HEIGHT - MARGIN - 12
    drawn = _frame(unit, (least, most), (0, max(counted)))
    drawn += [
        f'<rect x="{MARGIN + at * step:.1f}" y="{HEIGHT - MARGIN - room * n / max(counted):.1f}"'
        f' width="{step - 1:.1f}" height="{room * n / max(counted):.1f}" fill="{COLOURS[0]}"/>'
        for at, n in enumerate(counted)
    ]
    return _svg(drawn, WIDTH, HEIGHT)


def _frame(axis: str, across: tuple[float, float], up: tuple[float, float]) -> list[str]:
    bottom, right = HEIGHT - MARGIN, WIDTH - 200 + MARGIN
    return [
        f'<line x1="{MARGIN}" x2="{right}" y1="{bottom}" y2="{bottom}" class="axis"/>',
        f'<line x1="{MARGIN}" x2="{MARGIN}" y1="12" y2="{bottom}" class="axis"/>',
        _text(MARGIN, bottom + 16, f"{across[0]:.3g}"),
        _text(right, bottom + 16, f"{across[1]:.3g}", "end"),
        _text((MARGIN + right) / 2, bottom + 30, axis),
        _text(MARGIN - 4, bottom, f"{up[0]:.3g}", "end"),
        _text(MARGIN - 4, 20, f"{up[1]:.3g}", "end"),
    ]


def _text(x: float, y: float, text: str, kind: str = "", colour: str = "currentColor") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" fill="{colour}">{escape(text)}</text>'


def _svg(drawn: Iterable[str], width: float, height: float) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img"'
        f' xmlns="http://www.w3.org/2000/svg">{"".join(drawn)}</svg>'
    )


def _colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]
