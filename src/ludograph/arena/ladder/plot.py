"""Ratings over time as an SVG picture: light or dark as the page around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from ludograph.arena.ladder.snapshots import Snapshot
from ludograph.arena.ladder.state import parted
from ludograph.views.canvas import clean
from ludograph.views.colors import distinct

WIDTH, HEIGHT = 860, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 34, 34
NAMED = 20
"""Players with a name and a color; the others are thin gray lines."""

LINE_HEIGHT = 15
DAY = 86_400.0
STEPS = (20, 50, 100, 200, 500, 1000, 2000, 5000)

STYLE = """\
.ladder-plot{--ink:#26262b;--rule:#d8d7d2;--ground:#fff;font:12px sans-serif}
@media(prefers-color-scheme:dark){.ladder-plot{--ink:#e6e6ea;--rule:#44444c;--ground:#1d1d21}}
.ladder-plot text{fill:var(--ink)}.ladder-plot .rule{stroke:var(--rule)}
.ladder-plot .ground{fill:var(--ground)}.ladder-plot .curve{fill:none;stroke-width:2}
.ladder-plot .other{stroke:#8a8a92;stroke-width:1;opacity:.5}
"""


class Curve(NamedTuple):
    """A player's ratings.

    Attributes
    ----------
    points
        Pairs of seconds since 1970 and Elo.
    changes
        Those points at which a new version began.
    """

    name: str
    points: list[tuple[float, float]]
    changes: list[tuple[float, float]]


def curves(snapshots: Sequence[Snapshot], players: Sequence[str]) -> list[Curve]:
    """Return the curves of some players, over all their versions."""
    found = {name: Curve(name, [], []) for name in players}
    last: dict[str, str] = {}
    for snapshot in snapshots:
        for label, elo in snapshot.elo.items():
            name, version = parted(label)
            if name not in found:
                continue
            found[name].points.append((snapshot.time, elo))
            if last.setdefault(name, version) != version:
                found[name].changes.append((snapshot.time, elo))
                last[name] = version
    return [curve for curve in found.values() if curve.points]


def plot(snapshots: Sequence[Snapshot], players: Sequence[str], title: str) -> str:
    """Return the picture.

    Parameters
    ----------
    players
        Names, the best first: these are named in the picture, as many as fit.
    """
    drawn = curves(snapshots, players)
    frame = Frame.around(drawn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ladder-plot" role="img"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>{clean(title)}</title><style>{STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text x="{LEFT}" y="20" font-size="14">{clean(title)}</text>',
        *frame.axes(),
    ]
    for curve in drawn[NAMED:]:
        parts.append(f'<path class="curve other" d="{frame.path(curve.points)}"/>')
    colors = distinct(NAMED)
    for number, curve in reversed(list(enumerate(drawn[:NAMED]))):
        parts += frame.curve(curve, colors[number].rgb)
    parts += frame.names(drawn[:NAMED], [color.rgb for color in colors])
    if not drawn:
        parts.append(f'<text x="{LEFT}" y="{HEIGHT // 2}">No ratings yet.</text>')
    return "".join([*parts, "</svg>\n"])


class Frame(NamedTuple):
    """The axes: seconds since 1970 from left to right, Elo from below."""

    first: float
    last: float
    low: float
    high: float

    @classmethod
    def around(cls, drawn: Sequence[Curve]) -> Frame:
        """Return axes in which all points lie."""
        times = [time for curve in drawn for time, _ in curve.points] or [0.0]
        elos = [elo for curve in drawn for _, elo in curve.points] or [1000.0]
        room = max(20.0, 0.05 * (max(elos) - min(elos)))
        return cls(min(times), max(times), min(elos) - room, max(elos) + room)

    def at(self, time: float, elo: float) -> tuple[float, float]:
        """Return where a point lies in the picture."""
        span = self.last - self.first
        across = (time - self.first) / span if span else 0.5
        up = (elo - self.low) / (self.high - self.low)
        return (
            round(LEFT + across * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    def path(self, points: Sequence[tuple[float, float]]) -> str:
        """Return a line through points."""
        return "M" + "L".join(f"{x} {y}" for x, y in (self.at(*point) for point in points))

    def axes(self) -> Iterator[str]:
        """Draw rules at round ratings, and times below."""
        step = next((s for s in STEPS if (self.high - self.low) / s <= 8), STEPS[-1])
        elo = (self.low // step + 1) * step
        while elo < self.high:
            _, y = self.at(self.first, elo)
            yield f'<path class="rule" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
            yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{elo:.0f}</text>'
            elo += step
        span = self.last - self.first
        times = [self.first + part * span / 4 for part in range(5)] if span else [self.first]
        form = "%Y-%m-%d" if span > 3 * DAY else "%d %b %H:%M" if span > DAY / 2 else "%H:%M:%S"
        for time in times if self.last else []:
            x, _ = self.at(time, self.low)
            told = datetime.fromtimestamp(time, UTC).strftime(form)
            yield f'<text x="{x}" y="{HEIGHT - 12}" text-anchor="middle">{told}</text>'

    def curve(self, curve: Curve, color: str) -> Iterator[str]:
        """Draw a player's line; a ring where a new version began."""
        if len(curve.points) > 1:
            yield f'<path class="curve" stroke="{color}" d="{self.path(curve.points)}"/>'
        else:
            x, y = self.at(*curve.points[0])
            yield f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>'
        for point in curve.changes:
            x, y = self.at(*point)
            yield f'<circle class="ground" cx="{x}" cy="{y}" r="4" stroke="{color}"/>'

    def names(self, drawn: Sequence[Curve], colors: Sequence[str]) -> Iterator[str]:
        """Write names beside the ends of the lines, none over another."""
        ends = [
            (self.at(*curve.points[-1])[1], curve.name, colors[number])
            for number, curve in enumerate(drawn)
        ]
        ends.sort()
        places = apart([y for y, _, _ in ends], TOP, HEIGHT - BOTTOM)
        x = WIDTH - RIGHT + 8
        for y, (_, name, color) in zip(places, ends, strict=True):
            shown = name if len(name) <= 22 else f"{name[:21]}…"
            yield f'<rect x="{x}" y="{y - 5:.1f}" width="9" height="9" fill="{color}"/>'
            yield f'<text x="{x + 14}" y="{y + 4:.1f}">{clean(shown)}</text>'


def apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return places for lines of text near those that are wanted, in order, none over another."""
    places, lowest = [], top - LINE_HEIGHT
    for y in wanted:
        lowest = max(y, lowest + LINE_HEIGHT)
        places.append(lowest)
    highest = bottom + LINE_HEIGHT
    for number in reversed(range(len(places))):
        highest = min(places[number], highest - LINE_HEIGHT)
        places[number] = highest
    return places
