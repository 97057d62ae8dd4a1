"""When a test stops a tournament: at the same start, in whatever order games end.

Pairs are looked at in the order of their starts, as if one game had been played after the other. So
what a test says does not hang on how many processes play, nor on where it was interrupted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ludograph.arena.played import PlayedGame
from ludograph.arena.sprt import SCORES, Sprt, SprtVerdict, TestState, pentanomial


class Decided(NamedTuple):
    """How a test stands.

    Attributes
    ----------
    state
        After the starts that are whole, in their order.
    counts
        Its pairs by what they brought the first player.
    stopped
        The start with which it was sure; None while it goes on.
    """

    state: TestState
    counts: tuple[int, ...]
    stopped: int | None

    def counted(self, games: Iterable[PlayedGame]) -> list[PlayedGame]:
        """Return the games that were played until the test was sure."""
        return [game for game in games if self.stopped is None or game.start <= self.stopped]


class RunningTest:
    """A test to which games are added as they end."""

    def __init__(self, sprt: Sprt, player: str, games: Iterable[PlayedGame] = ()) -> None:
        self._sprt, self._player = sprt, player
        self._open: dict[int, list[PlayedGame]] = defaultdict(list)
        self._next = 0
        self.decided = Decided(sprt.state((0,) * len(SCORES)), (0,) * len(SCORES), None)
        for game in games:
            self.add(game)

    def add(self, game: PlayedGame) -> None:
        """Look at a game, as soon as all pairs before it are whole."""
        self._open[game.start].append(game)
        while self.decided.stopped is None:
            pair = pentanomial(self._open.get(self._next, ()), self._player)
            if not sum(pair):
                return
            counts = tuple(a + b for a, b in zip(self.decided.counts, pair, strict=True))
            state = self._sprt.state(counts)
            sure = None if state.verdict == SprtVerdict.GOES_ON else self._next
            self.decided = Decided(state, counts, sure)
            self._next += 1


def decided(sprt: Sprt, player: str, games: Iterable[PlayedGame]) -> Decided:
    """Return how a test of a player stands after games, in whatever order they come."""
    return RunningTest(sprt, player, games).decided
