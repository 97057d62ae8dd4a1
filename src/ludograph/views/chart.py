"""Line charts: curves over the moves of a game, as text and as SVG; values over time, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

import numpy as np

from ludograph.views.canvas import BACKGROUND, clean
from ludograph.views.colors import distinct

BOTH = "*"
"""The symbol of crossing curves in a text."""

_INK, _RULE = "#26262b", "#d0cfca"

_LINE = 18
"""The height of a line of text; names beside curves are a bit closer."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points.

    Attributes
    ----------
    symbol
        The letter of the curve in a text.
    points
        Pairs of the number of a move and a value, in order.
    """

    name: str
    symbol: str
    points: Sequence[tuple[int, float]]

    def at(self, x: float) -> float | None:
        """Return the interpolated value at a place, None outside of the points."""
        if not self.points or not self.points[0][0] <= x <= self.points[-1][0]:
            return None
        places, values = zip(*self.points, strict=True)
        return float(np.interp(x, places, values))


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves that share their axes.

    Attributes
    ----------
    bounds
        The least and the greatest value drawn; by default those of the curves.
    last
        The number of the last move, at the end of the axis.
    marks
        Points with a ring: the index of the curve, the number of the move, the value.
    """

    title: str
    curves: Sequence[Curve]
    last: int
    bounds: tuple[float, float] | None = None
    marks: Sequence[tuple[int, int, float]] = ()

    @property
    def range(self) -> tuple[float, float]:
        """The values at the lower and the upper edge, always different."""
        values = [y for curve in self.curves for _, y in curve.points] or [0.0]
        low, high = self.bounds or (min(values), max(values))
        return (low, high) if low < high else (low - 1, high + 1)


def text(panel: Panel, columns: int, rows: int = 9) -> list[str]:
    """Return a panel as lines of at most ``columns`` characters.

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
    labels = [f"{high - (high - low) * row / (rows - 1):z.3g}" for row in range(rows)]
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
    top = 34 + _LINE * len(names)
    total = top + len(panels) * (height + 50)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {total}" width="{size}"'
        f' height="{total}" font-family="sans-serif" font-size="12" fill="{_INK}">',
        f"<title>{clean(title)}</title>",
        f'<rect width="{size}" height="{total}" fill="{BACKGROUND}"/>',
        f'<text x="14" y="20" font-size="14">{clean(title)}</text>',
    ]
    swatches = distinct(32)
    colors = {symbol: swatches[n % len(swatches)].rgb for n, symbol in enumerate(names)}
    for number, (symbol, name) in enumerate(names.items()):
        y = 38 + _LINE * number
        parts.append(
            f'<path d="M14 {y - 4}h22" stroke="{colors[symbol]}" stroke-width="3"/>'
            f'<text x="44" y="{y}">{clean(name)}</text>'
        )
    for number, panel in enumerate(panels):
        above = top + number * (height + 50) + 22
        axes = _Axes(46, above, size - 14, above + height, 0, max(panel.last, 1), *panel.range)
        parts.append(f'<text x="46" y="{above - 7}">{clean(panel.title)}</text>')
        for value in (axes.low, (axes.low + axes.high) / 2, axes.high):
            parts.append(axes.rule(value, f"{value:z.3g}"))
        parts += [axes.tick(ply, str(ply)) for ply in sorted({0, panel.last // 2, panel.last})]
        for curve in panel.curves:
            if curve.points:
                parts.append(axes.line(curve.points, colors[curve.symbol]))
        for place, ply, value in panel.marks:
            parts.append(axes.ring((ply, value), colors[panel.curves[place].symbol]))
    return "".join([*parts, "</svg>\n"])


_WIDTH, _HEIGHT = 860, 420

_NAMED = 20
"""The number of lines with a name and a color; further lines are thin and gray."""

_BANDS = 5
"""The number of series with a band, at most: more bands hide each other."""

_WIDEST_BAND = 400.0
"""The greatest width of a band that is always drawn; a wider band must fit the axis of values."""

_LINE_HEIGHT = 15

_IDLE_SHARE = 0.02
"""The greatest width of an idle time, as a share of all other times."""

_TICK_ROOM = 70
"""The least distance between two labels of times."""

_DAY = 86_400.0

_STEPS = (20, 50, 100, 200, 500, 1000, 2000, 5000)

_STYLE = """\
.time-chart{--ink:#26262b;--rule:#d8d7d2;--ground:#fff;font:12px sans-serif}
@media(prefers-color-scheme:dark){.time-chart{--ink:#e6e6ea;--rule:#44444c;--ground:#1d1d21}}
.time-chart text{fill:var(--ink)}.time-chart .rule{stroke:var(--rule)}
.time-chart .ground{fill:var(--ground)}.time-chart .idle{fill:#8a8a92;opacity:.25}
.time-chart .other{fill:none;stroke:#8a8a92;opacity:.5}
"""


class TimeSeries(NamedTuple):
    """A value over time.

    Attributes
    ----------
    points
        Pairs of seconds since 1970 and a value.
    marks
        The points with a ring.
    color
        The number of its preferred color; a more important series may have it. None: any color.
    band
        Its bounds over time: seconds since 1970, the lower and the upper bound.
    """

    name: str
    points: list[tuple[float, float]]
    marks: list[tuple[float, float]]
    color: int | None = None
    band: Sequence[tuple[float, float, float]] = ()


Span = tuple[float, float]
"""The first and the last second of a span of time."""


def time_chart(
    drawn: Sequence[TimeSeries], title: str, *, empty: str, idle: Sequence[Span], zone: tzinfo
) -> str:
    """Return values over time as an SVG picture, light or dark according to the reader's setting.

    The later half of each series determines the axis of values; earlier values beyond it are cut
    off. A band is not drawn where it is wider than this axis and than `_WIDEST_BAND`.

    Parameters
    ----------
    drawn
        The series, the most important first: these get names and colors, as long as they fit.
    empty
        The text of a picture without series.
    idle
        Times without activity, in order: they are gray and narrow.
    zone
        The time zone of the axis.
    """
    clock = _Clock.of(drawn, idle)
    drawn = [clock.series(series) for series in drawn]
    axes = _time_axes(drawn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="time-chart" role="img"'
        f' viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}">',
        f"<title>{clean(title)}</title><style>{_STYLE}</style>",
        f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text x="{axes.left}" y="20" font-size="14">{clean(title)}</text>',
    ]
    step = next((s for s in _STEPS if (axes.high - axes.low) / s <= 8), _STEPS[-1])
    value = (axes.low // step + 1) * step
    while value < axes.high:
        parts.append(axes.rule(value, f"{value:z.0f}"))
        value += step
    for span in clock.idle:
        left, right = (axes.at(clock.shown(seconds), axes.low)[0] for seconds in span)
        parts.append(
            f'<rect class="idle" x="{left}" y="{axes.top}" width="{max(right - left, 1):.1f}"'
            f' height="{axes.bottom - axes.top}"><title>no games</title></rect>'
        )
    for seconds, label, below in clock.ticks(axes, zone) if axes.last else ():
        parts.append(axes.upright(seconds))
        parts += [axes.tick(seconds, label), axes.tick(seconds, below, 1)]
    if axes.last:
        name, y = f"{datetime.fromtimestamp(clock.last, zone):%Z}", axes.bottom + 18 + _LINE_HEIGHT
        parts.append(f'<text x="{axes.right + 8}" y="{y}">{clean(name)}</text>')
    edges = f'x="0" y="{axes.top}" width="{_WIDTH}" height="{axes.bottom - axes.top}"'
    parts.append(f'<clipPath id="time-chart-frame"><rect {edges}/></clipPath>')
    parts.append('<g clip-path="url(#time-chart-frame)">')
    for series in drawn[_NAMED:]:
        parts.append(f'<path class="other" d="{axes.path(series.points)}"/>')
    colors = _colors(drawn[:_NAMED])
    for series, color in zip(drawn[:_BANDS], colors, strict=False):
        widest = max(_WIDEST_BAND, axes.high - axes.low)
        band = [bounds for bounds in series.band if bounds[2] - bounds[1] <= widest]
        if len(band) > 1:
            upper = [(time, high) for time, _, high in band]
            lower = [(time, low) for time, low, _ in reversed(band)]
            area = axes.path([*upper, *lower])
            parts.append(f'<path class="band" d="{area}Z" fill="{color}" fill-opacity=".16"/>')
    for series, color in reversed(list(zip(drawn, colors, strict=False))):
        if len(series.points) > 1:
            parts.append(axes.line(series.points, color))
        else:
            x, y = axes.at(*series.points[0])
            parts.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>')
        parts += [axes.ring(point, color) for point in series.marks]
    parts.append("</g>")
    parts += _names(axes, drawn, colors)
    if not drawn:
        parts.append(f'<text x="{axes.left}" y="{axes.top + 40}">{clean(empty)}</text>')
    return "".join([*parts, "</svg>\n"])


_TIME_STEPS = (
    *(1.0, 2.0, 5.0, 15.0, 30.0),
    *(60.0 * minutes for minutes in (1, 2, 5, 15, 30)),
    *(3600.0 * hours for hours in (1, 2, 3, 6, 12)),
    *(_DAY * days for days in (1, 2, 7, 14, 28, 56, 91, 182, 364)),
)

_TICKS = 7
"""The number of labels on an axis of time, at most."""


def time_ticks(first: float, last: float, zone: tzinfo = UTC) -> list[tuple[float, str, str]]:
    """Return round times between two, each with a label and a text for the line below it.

    Times are seconds since 1970, and labels are in a time zone. Labels are times of the day, with
    the date below the first one and below each midnight, or dates, with the year below if it
    changes.

    Examples
    --------
    >>> [texts for _, *texts in time_ticks(1e9, 1e9 + 2 * 3600)]
    [['02:00', '9 Sep 2001'], ['02:30', ''], ['03:00', ''], ['03:30', '']]
    >>> [texts for _, *texts in time_ticks(1e9, 1e9 + 4 * 86400)]
    [['10 Sep', '2001'], ['11 Sep', ''], ['12 Sep', ''], ['13 Sep', '']]
    """
    # Times of the zone are written as those of UTC: so midnights are a day apart in spring, too.
    first, last = (
        datetime.fromtimestamp(one, zone).replace(tzinfo=UTC).timestamp() for one in (first, last)
    )
    span = last - first
    step = next((step for step in _TIME_STEPS if span / step <= _TICKS), _TIME_STEPS[-1])
    count = math.floor(last / step) - math.ceil(first / step) + 1
    times = [(math.ceil(first / step) + number) * step for number in range(count)] or [first]
    ticks: list[tuple[float, str, str]] = []
    named = 0
    for seconds in times:
        when = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=zone)
        date, year = f"{when.day} {when:%b}", "" if when.year == named else str(when.year)
        if step >= _DAY:
            ticks.append((when.timestamp(), date, year))
        else:
            dated = not ticks or seconds % _DAY == 0
            clock = f"{when:%H:%M:%S}" if step < 60 else f"{when:%H:%M}"
            ticks.append((when.timestamp(), clock, f"{date} {year}".rstrip() if dated else ""))
        named = when.year
    return ticks


class _Clock(NamedTuple):
    """The axis of times, on which idle times are narrow.

    Attributes
    ----------
    idle
        The idle times, in order.
    room
        The greatest width of an idle time, in seconds of other times.
    """

    first: float
    last: float
    idle: tuple[Span, ...]
    room: float

    @classmethod
    def of(cls, drawn: Sequence[TimeSeries], idle: Sequence[Span]) -> _Clock:
        """Return the axis for some series."""
        times = [time for series in drawn for time, _ in series.points] or [0.0]
        first, last = min(times), max(times)
        inside = tuple(span for span in idle if first <= span[0] and span[1] <= last)
        active = last - first - sum(end - begin for begin, end in inside)
        return cls(first, last, inside, max(_IDLE_SHARE * active, 1.0))

    def shown(self, seconds: float) -> float:
        """Return the place of a time on the axis, in seconds."""
        cut = 0.0
        for begin, end in self.idle:
            if seconds > begin:
                length = end - begin
                cut += max(0.0, length - self.room) * min(1.0, (seconds - begin) / length)
        return seconds - cut

    def series(self, series: TimeSeries) -> TimeSeries:
        """Return a series with the places of its times."""
        return series._replace(
            points=[(self.shown(time), value) for time, value in series.points],
            marks=[(self.shown(time), value) for time, value in series.marks],
            band=[(self.shown(time), low, high) for time, low, high in series.band],
        )

    def ticks(self, axes: _Axes, zone: tzinfo) -> Iterator[tuple[float, str, str]]:
        """Yield places of round times with their labels, as :func:`time_ticks` does."""
        edges = [self.first, *(edge for span in self.idle for edge in span), self.last]
        free = -math.inf
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            for seconds, label, below in time_ticks(begin, end, zone):
                place = self.shown(seconds)
                x, _ = axes.at(place, axes.low)
                if begin <= seconds <= end and x >= free:
                    free = x + _TICK_ROOM
                    yield place, label, below


def _time_axes(drawn: Sequence[TimeSeries]) -> _Axes:
    """Return axes for all times, and for the values of the later half of each series."""
    times = [time for series in drawn for time, _ in series.points] or [0.0]
    late = [point for series in drawn for point in series.points[len(series.points) // 2 :]]
    values = [value for _, value in late] or [1000.0]
    room = max(20.0, 0.05 * (max(values) - min(values)))
    edges = min(times), max(times), min(values) - room, max(values) + room
    return _Axes(56, 34, _WIDTH - 190, _HEIGHT - 44, *edges)


def _colors(drawn: Sequence[TimeSeries]) -> list[str]:
    """Return a color for each series: its preferred one, or the next free one."""
    palette = [color.rgb for color in distinct(_NAMED)]
    free = dict(enumerate(palette))
    colors = []
    for place, series in enumerate(drawn):
        first = place if series.color is None else series.color
        number = next(n % _NAMED for n in range(first, first + _NAMED) if n % _NAMED in free)
        colors.append(free.pop(number))
    return colors


def _names(axes: _Axes, drawn: Sequence[TimeSeries], colors: Sequence[str]) -> Iterator[str]:
    """Write names beside the ends of the curves, without overlaps."""
    ends = sorted(
        (axes.at(*series.points[-1])[1], series.name, color)
        for series, color in zip(drawn, colors, strict=False)
    )
    places = _apart([y for y, _, _ in ends], axes.top, axes.bottom)
    x = axes.right + 8
    for y, (_, name, color) in zip(places, ends, strict=True):
        shown = name if len(name) <= 22 else f"{name[:21]}…"
        yield f'<rect x="{x}" y="{y - 5:.1f}" width="9" height="9" fill="{color}"/>'
        yield f'<text x="{x + 14}" y="{y + 4:.1f}">{clean(shown)}</text>'


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return places for lines of text near the wanted ones, in order, without overlaps."""
    places, lowest = [], top - _LINE_HEIGHT
    for y in wanted:
        lowest = max(y, lowest + _LINE_HEIGHT)
        places.append(lowest)
    highest = bottom + _LINE_HEIGHT
    for number in reversed(range(len(places))):
        highest = min(places[number], highest - _LINE_HEIGHT)
        places[number] = highest
    return places


class _Axes(NamedTuple):
    """The frame of a chart: its edges in the picture, then the values at its edges.

    Colors are attributes, so that all programs show them; a style may override them by class.
    """

    left: float
    top: float
    right: float
    bottom: float
    first: float
    last: float
    low: float
    high: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a point in the picture."""
        span = self.last - self.first
        across = (x - self.first) / span if span else 0.5
        up = (y - self.low) / (self.high - self.low)
        return (
            round(self.left + across * (self.right - self.left), 1),
            round(self.bottom - up * (self.bottom - self.top), 1),
        )

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """Return the path through some points."""
        return "M" + "L".join(f"{x} {y}" for x, y in (self.at(*point) for point in points))

    def rule(self, value: float, label: str) -> str:
        """Draw a horizontal rule, with its value to the left."""
        _, y = self.at(self.first, value)
        return (
            f'<path class="rule" d="M{self.left} {y}H{self.right}" stroke="{_RULE}"/>'
            f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
        )

    def upright(self, x: float) -> str:
        """Draw a vertical rule."""
        x, _ = self.at(x, self.low)
        return f'<path class="rule" d="M{x} {self.top}V{self.bottom}" stroke="{_RULE}"/>'

    def tick(self, x: float, label: str, line: int = 0) -> str:
        """Write the label of a place on the horizontal axis, or a line below it."""
        x, _ = self.at(x, self.low)
        y = self.bottom + 18 + _LINE_HEIGHT * line
        return f'<text x="{x}" y="{y}" text-anchor="middle">{label}</text>' if label else ""

    def line(self, points: Sequence[tuple[float, float]], color: str) -> str:
        """Draw a curve."""
        path = self.path(points)
        return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"/>'

    def ring(self, point: tuple[float, float], color: str) -> str:
        """Draw a ring around a point."""
        x, y = self.at(*point)
        circle = f'<circle class="ground" cx="{x}" cy="{y}" r="4" fill="{BACKGROUND}"'
        return f'{circle} stroke="{color}" stroke-width="2"/>'
