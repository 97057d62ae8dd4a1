"""Ratings of a ladder over time: snapshots, thinned as they grow old, and their chart."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from ludograph.arena.ladder.declaration import Ladder
from ludograph.arena.ladder.folder import LadderFolder, write_whole
from ludograph.arena.ladder.state import State, parted
from ludograph.arena.ladder.table import ladder_ratings
from ludograph.arena.played import PlayedGame
from ludograph.views.canvas import clean
from ludograph.views.colors import distinct

SECONDS = 600.0
"""After so long another one is taken."""

GROWTH = 1.25
"""While a ladder is young, also when its games have grown by this factor."""

MOST = 2000
"""When there are more, every other one of the older half goes."""


class Snapshot(msgspec.Struct, frozen=True):
    """Ratings at one time.

    Attributes
    ----------
    time
        In seconds since 1970.
    games
        How many of the latest games they stand on.
    elo
        By label.
    """

    time: float
    games: int
    elo: dict[str, float]


class Snapshots:
    """Those of a ladder, in a file with a line for each."""

    def __init__(self, folder: LadderFolder) -> None:
        self._folder = folder
        self._last = -math.inf
        self._games = 0
        self._count: int | None = None

    def due(self, state: State, games: Iterable[PlayedGame], ladder: Ladder) -> None:
        """Take a snapshot if it is time for one."""
        games = list(games)
        grown = len(games) >= GROWTH * max(self._games, 8)
        if games and (grown or time.monotonic() - self._last >= SECONDS):
            self.take(state, games, ladder)

    def take(self, state: State, games: Iterable[PlayedGame], ladder: Ladder) -> None:
        """Write down the ratings of now."""
        games = list(games)
        anchor = ladder.anchors[0].text
        ratings, used = ladder_ratings(games, state, anchor, ladder.anchor_elo)
        present = {one.label for one in state.entrants}
        elo = {
            one.player: round(one.elo, 1)
            for one in (ratings.table if ratings is not None else ())
            if one.player in present and one.elo is not None and one.games
        }
        now = Snapshot(round(datetime.now(UTC).timestamp(), 1), len(used), elo)
        self._last, self._games = time.monotonic(), len(games)
        if not elo:
            return
        if self._count is None:
            self._count = len(read_snapshots(self._folder))
        try:
            with self._folder.history.open("ab+") as file:
                if file.tell() and not _ends_with_newline(self._folder):
                    file.write(b"\n")  # a line that was cut short by a kill stays alone
                file.write(msgspec.json.encode(now) + b"\n")
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self._folder.history)) from None
        self._count += 1
        if self._count > MOST:
            self._thin()

    def _thin(self) -> None:
        found = read_snapshots(self._folder)
        half = len(found) // 2
        kept = [*found[:half:2], *found[half:]]
        lines = b"".join(msgspec.json.encode(one) + b"\n" for one in kept)
        write_whole(self._folder.history, lines)
        self._count = len(kept)


def read_snapshots(folder: LadderFolder) -> list[Snapshot]:
    """Return all snapshots of a ladder, in order; a line that was cut short is passed over."""
    try:
        data = folder.history.read_bytes()
    except FileNotFoundError:
        return []
    found = []
    for line in data.splitlines():
        try:
            found.append(msgspec.json.decode(line, type=Snapshot))
        except msgspec.MsgspecError:
            continue
    return found


def _ends_with_newline(folder: LadderFolder) -> bool:
    with folder.history.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"


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


class RatingCurve(NamedTuple):
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


def curves(snapshots: Sequence[Snapshot], players: Sequence[str]) -> list[RatingCurve]:
    """Return the curves of some players, over all their versions."""
    found = {name: RatingCurve(name, [], []) for name in players}
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
    frame = ChartAxes.around(drawn)
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


class ChartAxes(NamedTuple):
    """The axes: seconds since 1970 from left to right, Elo from below."""

    first: float
    last: float
    low: float
    high: float

    @classmethod
    def around(cls, drawn: Sequence[RatingCurve]) -> ChartAxes:
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
        for moment in times if self.last else []:
            x, _ = self.at(moment, self.low)
            told = datetime.fromtimestamp(moment, UTC).strftime(form)
            yield f'<text x="{x}" y="{HEIGHT - 12}" text-anchor="middle">{told}</text>'

    def curve(self, curve: RatingCurve, color: str) -> Iterator[str]:
        """Draw a player's line; a ring where a new version began."""
        if len(curve.points) > 1:
            yield f'<path class="curve" stroke="{color}" d="{self.path(curve.points)}"/>'
        else:
            x, y = self.at(*curve.points[0])
            yield f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>'
        for point in curve.changes:
            x, y = self.at(*point)
            yield f'<circle class="ground" cx="{x}" cy="{y}" r="4" stroke="{color}"/>'

    def names(self, drawn: Sequence[RatingCurve], colors: Sequence[str]) -> Iterator[str]:
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
