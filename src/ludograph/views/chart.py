"""Line charts over the moves of a game, as text and as an SVG picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludograph.views.canvas import BACKGROUND, clean
from ludograph.views.colors import distinct

__all__ = ["Curve", "Panel", "svg", "text"]

BOTH = "*"
"""What a text has where curves meet."""

_INK, _RULE = "#26262b", "#d0cfca"
_LEFT, _RIGHT, _LINE = 46, 14, 18


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points.

    Attributes
    ----------
    symbol
        One letter, which draws it in a text.
    points
        Pairs of the number of a move and a value, in order.
    """

    name: str
    symbol: str
    points: Sequence[tuple[int, float]]

    def at(self, x: float) -> float | None:
        """Return the value at a place between its points, None outside of them."""
        if not self.points or not self.points[0][0] <= x <= self.points[-1][0]:
            return None
        for (x0, y0), (x1, y1) in zip(self.points, self.points[1:], strict=False):
            if x0 <= x <= x1:
                return y0 + (y1 - y0) * (x - x0) / max(x1 - x0, 1)
        return self.points[-1][1]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves that share their axes.

    Attributes
    ----------
    bounds
        The least and the greatest value drawn; by default those of the curves.
    last
        The number of the last move, where the axis ends.
    marks
        Points to point out, each with a curve's place among the curves.
    """

    title: str
    curves: Sequence[Curve]
    last: int
    bounds: tuple[float, float] | None = None
    marks: Sequence[tuple[int, int, float]] = ()

    @property
    def range(self) -> tuple[float, float]:
        """The values at the lower and the upper edge, never the same."""
        values = [y for curve in self.curves for _, y in curve.points] or [0.0]
        low, high = self.bounds or (min(values), max(values))
        return (low, high) if low < high else (low - 1, high + 1)


def text(panel: Panel, columns: int, rows: int = 9) -> list[str]:
    """Return the lines of a panel, at most so many columns wide.

    Examples
    --------
    >>> curve = Curve("climbs", "c", [(0, 0.0), (1, 5.0), (2, 10.0)])
    >>> print("\\n".join(text(Panel("A climb", [curve], 2), 20, 3)))
    A climb
    10 |           cccc
     5 |    ccccccc
     0 |cccc
       +---------------
        0             2
    """
    low, high = panel.range
    labels = [f"{high - (high - low) * row / (rows - 1):.3g}" for row in range(rows)]
    shown = [row in (0, rows - 1) or 2 * row == rows - 1 for row in range(rows)]
    margin = max(len(label) for label, is_shown in zip(labels, shown, strict=True) if is_shown)
    across = max(8, columns - margin - 3)
    grid = [[" "] * across for _ in range(rows)]
    for curve in panel.curves:
        for column in range(across):
            value = curve.at(panel.last * column / (across - 1))
            if value is not None:
                row = round((high - value) / (high - low) * (rows - 1))
                cells = grid[min(max(row, 0), rows - 1)]
                cells[column] = curve.symbol if cells[column] == " " else BOTH
    lines = [
        f"{label if is_shown else '':>{margin}} |{''.join(row)}".rstrip()
        for label, is_shown, row in zip(labels, shown, grid, strict=True)
    ]
    last = str(panel.last)
    axis = "0" + last.rjust(across - 1)
    return [panel.title, *lines, f"{'':{margin}} +{'-' * across}", f"{'':{margin}}  {axis}"]


def svg(panels: Sequence[Panel], title: str, *, size: int = 720, height: int = 190) -> str:
    """Return panels, one below the other, as a complete SVG document with a legend."""
    names = {curve.symbol: curve.name for panel in panels for curve in panel.curves}
    total = 34 + _LINE * len(names) + len(panels) * (height + 50)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {total}" width="{size}"'
        f' height="{total}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f"<title>{clean(title)}</title>",
        f'<rect width="{size}" height="{total}" fill="{BACKGROUND}"/>',
        f'<text x="{_RIGHT}" y="20" font-size="14">{clean(title)}</text>',
    ]
    colors = {symbol: _color(number) for number, symbol in enumerate(names)}
    for number, (symbol, name) in enumerate(names.items()):
        y = 38 + _LINE * number
        parts.append(
            f'<path d="M{_RIGHT} {y - 4}h22" stroke="{colors[symbol]}" stroke-width="3"/>'
            f'<text x="{_RIGHT + 30}" y="{y}">{clean(name)}</text>'
        )
    for number, panel in enumerate(panels):
        top = 34 + _LINE * len(names) + number * (height + 50) + 22
        parts += _panel(panel, colors, top, size, height)
    return "".join([*parts, "</svg>\n"])


def _color(number: int) -> str:
    swatches = distinct(32)
    return swatches[number % len(swatches)].rgb


def _panel(panel: Panel, colors: dict[str, str], top: int, size: int, height: int) -> Iterator[str]:
    low, high = panel.range

    def place(x: float, y: float) -> str:
        right = _LEFT + (size - _LEFT - _RIGHT) * x / max(panel.last, 1)
        return f"{right:.1f} {top + height * (high - y) / (high - low):.1f}"

    yield f'<text x="{_LEFT}" y="{top - 7}">{clean(panel.title)}</text>'
    for value in (low, (low + high) / 2, high):
        yield f'<path d="M{place(0, value)}L{place(panel.last, value)}" stroke="{_RULE}"/>'
        beside = float(place(0, value).split()[1]) + 4
        yield f'<text x="{_LEFT - 6}" y="{beside:.1f}" text-anchor="end">{value:.3g}</text>'
    for ply in sorted({0, panel.last // 2, panel.last}):
        right = place(ply, low).split()[0]
        yield f'<text x="{right}" y="{top + height + 16}" text-anchor="middle">{ply}</text>'
    for curve in panel.curves:
        if curve.points:
            path = "M" + "L".join(place(x, y) for x, y in curve.points)
            color = colors[curve.symbol]
            yield f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
    for number, x, y in panel.marks:
        left, up = place(x, y).split()
        color = colors[panel.curves[number].symbol]
        yield f'<circle cx="{left}" cy="{up}" r="5" fill="none" stroke="{color}" stroke-width="2"/>'
