"""A tournament under way, in a terminal: the table so far, games per second, the time left."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ludograph.cli.progress import compiling_in, on_terminal
from ludograph.cli.texts import safe

if TYPE_CHECKING:
    from rich.table import Table

    from ludograph.arena import PlayedGame

ROWS = 12
"""Of the table, at most."""

REFRESHES = 4
"""Pictures a second."""


class Standing:
    """Games as they are counted while they come."""

    def __init__(self, total: int | None, games: Iterable[PlayedGame]) -> None:
        self.total, self.count, self.now = total, 0, 0
        self.points: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.forfeits: Counter[str] = Counter()
        for game in games:
            self.add(game)
        self.begin()

    def begin(self) -> None:
        """Count games per second from now on."""
        self.now, self._began = 0, time.monotonic()

    def add(self, game: PlayedGame) -> None:
        """Count a game."""
        self.count += 1
        self.now += 1
        for player, points in zip(game.seating, game.points, strict=True):
            self.points[player] += points  # type: ignore[assignment]
            self.games[player] += 1
        for forfeit in game.forfeits:
            self.forfeits[game.seating[forfeit.seat]] += 1

    @property
    def speed(self) -> float:
        """Games per second of this run."""
        return self.now / max(time.monotonic() - self._began, 1e-9)

    def line(self) -> str:
        """Return how far it is."""
        of = f" of {self.total}" if self.total is not None else ""
        text = f"{self.count}{of} games, {self.speed:.3g} a second"
        if self.total is not None and self.now:
            left = (self.total - self.count) / self.speed
            text += f", {duration(left)} left"
        return text


def duration(seconds: float) -> str:
    """Return a time to wait, as in ``40 s``, ``12 min`` and ``3 h 5 min``."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


@contextlib.contextmanager
def live(standing: Standing, *, shown: bool) -> Iterator[Callable[[], None]]:
    """Show the table while games are played, if standard error is a terminal.

    Yields
    ------
    A function to call after each game.
    """
    if not shown or not on_terminal():
        yield lambda: None
        return
    from rich.console import Console
    from rich.live import Live

    said = ""
    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as screen:
        last = 0.0

        def draw(force: bool = False) -> None:
            nonlocal last
            if force or time.monotonic() - last > 1 / REFRESHES:
                last = time.monotonic()
                screen.update(_picture(standing, said), refresh=True)

        def hear(text: str) -> None:
            nonlocal said
            said = text
            draw(force=True)

        draw(force=True)
        with compiling_in(hear):
            yield draw


def _picture(standing: Standing, said: str) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption=Text(said or standing.line()))
    for number, head in enumerate(("player", "games", "points", "share", "forfeits")):
        drawn.add_column(head, justify="right" if number else "left")
    order = sorted(standing.games, key=lambda one: -standing.points[one] / standing.games[one])
    for player in order[:ROWS]:
        games, points = standing.games[player], standing.points[player]
        cells = [str(games), f"{points:g}", f"{100 * points / games:.1f} %"]
        drawn.add_row(*map(Text, [safe(player), *cells, str(standing.forfeits[player])]))
    return drawn
