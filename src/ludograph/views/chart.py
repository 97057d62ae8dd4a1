"""Line charts: curves over the moves of a game, as text and as SVG; values over time, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from ludograph.views.canvas import BACKGROUND, clean
from ludograph.views.colors import distinct

__all__ = ["Curve", "Panel", "TimeSeries", "svg", "text", "time_chart"]

BOTH = "*"
"""The symbol in a text where curves meet."""

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
    """Return the lines of a panel, which take at most ``columns``.

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


_WIDTH, _HEIGHT = 860, 420

_TIME_LEFT, _TIME_RIGHT, _TOP, _BOTTOM = 56, 190, 34, 34

_NAMED = 20
"""Lines with a name and a color; the others are thin gray lines."""

_LINE_HEIGHT = 15

_DAY = 86_400.0

_STEPS = (20, 50, 100, 200, 500, 1000, 2000, 5000)

_STYLE = """\
.time-chart{--ink:#26262b;--rule:#d8d7d2;--ground:#fff;font:12px sans-serif}
@media(prefers-color-scheme:dark){.time-chart{--ink:#e6e6ea;--rule:#44444c;--ground:#1d1d21}}
.time-chart text{fill:var(--ink)}.time-chart .rule{stroke:var(--rule)}
.time-chart .ground{fill:var(--ground)}.time-chart .curve{fill:none;stroke-width:2}
.time-chart .other{stroke:#8a8a92;stroke-width:1;opacity:.5}
"""


class TimeSeries(NamedTuple):
    """A value over time.

    Attributes
    ----------
    points
        Pairs of seconds since 1970 and a value.
    marks
        Those points that are marked by a ring.
    """

    name: str
    points: list[tuple[float, float]]
    marks: list[tuple[float, float]]


def time_chart(drawn: Sequence[TimeSeries], title: str, *, empty: str = "") -> str:
    """Return values over time as an SVG picture, light or dark as the page around it.

    Parameters
    ----------
    drawn
        The most important first: these are named and colored, as many as fit.
    empty
        What the picture says where there are none.
    """
    axes = _TimeAxes.around(drawn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="time-chart" role="img"'
        f' viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}">',
        f"<title>{clean(title)}</title><style>{_STYLE}</style>",
        f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text x="{_TIME_LEFT}" y="20" font-size="14">{clean(title)}</text>',
        *axes.axes(),
    ]
    for curve in drawn[_NAMED:]:
        parts.append(f'<path class="curve other" d="{axes.path(curve.points)}"/>')
    colors = distinct(_NAMED)
    for number, curve in reversed(list(enumerate(drawn[:_NAMED]))):
        parts += axes.curve(curve, colors[number].rgb)
    parts += axes.names(drawn[:_NAMED], [color.rgb for color in colors])
    if not drawn:
        parts.append(f'<text x="{_TIME_LEFT}" y="{_HEIGHT // 2}">{clean(empty)}</text>')
    return "".join([*parts, "</svg>\n"])


class _TimeAxes(NamedTuple):
    """The axes: seconds since 1970 from left to right, values from below."""

    first: float
    last: float
    low: float
    high: float

    @classmethod
    def around(cls, drawn: Sequence[TimeSeries]) -> _TimeAxes:
        """Return axes in which all points lie."""
        times = [time for curve in drawn for time, _ in curve.points] or [0.0]
        values = [value for curve in drawn for _, value in curve.points] or [1000.0]
        room = max(20.0, 0.05 * (max(values) - min(values)))
        return cls(min(times), max(times), min(values) - room, max(values) + room)

    def at(self, time: float, value: float) -> tuple[float, float]:
        """Return where a point lies in the picture."""
        span = self.last - self.first
        across = (time - self.first) / span if span else 0.5
        up = (value - self.low) / (self.high - self.low)
        return (
            round(_TIME_LEFT + across * (_WIDTH - _TIME_LEFT - _TIME_RIGHT), 1),
            round(_HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM), 1),
        )

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """Return a line through points."""
        return "M" + "L".join(f"{x} {y}" for x, y in (self.at(*point) for point in points))

    def axes(self) -> Iterator[str]:
        """Draw rules at round values, and times below."""
        step = next((s for s in _STEPS if (self.high - self.low) / s <= 8), _STEPS[-1])
        value = (self.low // step + 1) * step
        while value < self.high:
            _, y = self.at(self.first, value)
            yield f'<path class="rule" d="M{_TIME_LEFT} {y}H{_WIDTH - _TIME_RIGHT}"/>'
            yield f'<text x="{_TIME_LEFT - 6}" y="{y + 4}" text-anchor="end">{value:.0f}</text>'
            value += step
        span = self.last - self.first
        times = [self.first + part * span / 4 for part in range(5)] if span else [self.first]
        form = "%Y-%m-%d" if span > 3 * _DAY else "%d %b %H:%M" if span > _DAY / 2 else "%H:%M:%S"
        for seconds in times if self.last else []:
            x, _ = self.at(seconds, self.low)
            label = datetime.fromtimestamp(seconds, UTC).strftime(form)
            yield f'<text x="{x}" y="{_HEIGHT - 12}" text-anchor="middle">{label}</text>'

    def curve(self, curve: TimeSeries, color: str) -> Iterator[str]:
        """Draw a line; a ring at each mark."""
        if len(curve.points) > 1:
            yield f'<path class="curve" stroke="{color}" d="{self.path(curve.points)}"/>'
        else:
            x, y = self.at(*curve.points[0])
            yield f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>'
        for point in curve.marks:
            x, y = self.at(*point)
            yield f'<circle class="ground" cx="{x}" cy="{y}" r="4" stroke="{color}"/>'

    def names(self, drawn: Sequence[TimeSeries], colors: Sequence[str]) -> Iterator[str]:
        """Write names beside the ends of the lines, none over another."""
        ends = [
            (self.at(*curve.points[-1])[1], curve.name, colors[number])
            for number, curve in enumerate(drawn)
        ]
        ends.sort()
        places = _apart([y for y, _, _ in ends], _TOP, _HEIGHT - _BOTTOM)
        x = _WIDTH - _TIME_RIGHT + 8
        for y, (_, name, color) in zip(places, ends, strict=True):
            shown = name if len(name) <= 22 else f"{name[:21]}…"
            yield f'<rect x="{x}" y="{y - 5:.1f}" width="9" height="9" fill="{color}"/>'
            yield f'<text x="{x + 14}" y="{y + 4:.1f}">{clean(shown)}</text>'


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return places for lines of text near those that are wanted, in order, none over another."""
    places, lowest = [], top - _LINE_HEIGHT
    for y in wanted:
        lowest = max(y, lowest + _LINE_HEIGHT)
        places.append(lowest)
    highest = bottom + _LINE_HEIGHT
    for number in reversed(range(len(places))):
        highest = min(places[number], highest - _LINE_HEIGHT)
        places[number] = highest
    return places
