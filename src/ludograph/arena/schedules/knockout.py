"""Knockout tournaments: the loser of a match drops out, until one player is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ludograph.arena.finished_game import GameKey
from ludograph.arena.overtime import MOST, OVERTIME
from ludograph.arena.results import Games, Results
from ludograph.arena.schedules.seatings import (
    Pairing,
    check_number,
    check_players,
    rotations,
    without,
)
from ludograph.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Duel:
    """A match of the bracket.

    Attributes
    ----------
    players
        None for a player that is not known yet, and for a bye: then the other player advances.
    open
        Games that can be played now.
    winner
        None while the match is not decided.
    points
        The points of each player, in the games that count so far.
    overtime
        The number of pairs of games after a tie, the one under way included.
    """

    players: tuple[str | None, str | None]
    open: tuple[GameKey, ...]
    winner: str | None
    points: tuple[float, float] = (0.0, 0.0)
    overtime: int = 0

    @property
    def decided_by(self) -> Literal["points", "seed", "bye"] | None:
        """The reason of the win; after a tie in all overtime the higher seed wins."""
        if self.winner is None:
            return None
        if None in self.players:
            return "bye"
        return "seed" if self.points[0] == self.points[1] else "points"


@dataclass(frozen=True, slots=True)
class Knockout:
    """A bracket of matches between two players; games of two seats only.

    Players are seeded in the given order. The best players meet late: one half of the
    bracket holds the first seed, the other half the second, and so on. If their number is no power
    of two, the first seeds skip the first round. The player with more points in a match advances.
    After a tie, pairs of games on further starts are played, ``overtime`` at most, until one player
    is ahead; otherwise the higher seed advances.

    Attributes
    ----------
    starts
        The number of starts of each match, with two games on each.
    overtime
        The most pairs of games after a tie, from 0 to 500.

    Raises
    ------
    InvalidInput
        If a number is below 1, a player is there twice, or fewer than two are there.
    """

    players: tuple[str, ...]
    starts: int
    overtime: int = OVERTIME

    def __post_init__(self) -> None:
        """Check the fields; raise InvalidInput."""
        check_players(self.players, 2)
        check_number("starts", self.starts)
        if not 0 <= self.overtime <= MOST:
            raise InvalidInput(f"overtime {self.overtime}: 0 to {MOST} pairs")

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the games of all matches whose players are known and that are not decided."""
        return [key for row in self.bracket(finished) for duel in row for key in duel.open]

    def bracket(self, finished: Games) -> list[list[Duel]]:
        """Return the matches, round by round; the last round is the final."""
        finished, seeded = Results.of(finished), self.players
        place = {player: number for number, player in enumerate(seeded)}
        size = 1 << (len(seeded) - 1).bit_length()
        slots: list[str | None] = [
            seeded[number] if number < len(seeded) else None for number in bracket_order(size)
        ]
        rounds = []
        first = True
        while len(slots) > 1:
            pairs = zip(slots[::2], slots[1::2], strict=True)
            duels = [self._duel(one, other, finished, place, byes=first) for one, other in pairs]
            rounds.append(duels)
            slots = [duel.winner for duel in duels]
            first = False
        return rounds

    def winner(self, finished: Games) -> str | None:
        """Return the winner of the tournament; None while it goes on."""
        return self.bracket(finished)[-1][0].winner

    def _duel(
        self,
        one: str | None,
        other: str | None,
        finished: Results,
        place: dict[str, int],
        *,
        byes: bool,
    ) -> Duel:
        if one is None or other is None:
            return Duel((one, other), (), (one or other) if byes else None)
        pair = (one, other)
        mine = finished.among(pair)
        regular = mine[mine.starts < self.starts]
        keys = [key for start in range(self.starts) for key in rotations(Pairing(start, pair))]
        left, pairs = without(keys, regular), 0
        total = {player: regular.totals.get(player, 0.0) for player in pair}
        while not left and total[one] == total[other] and pairs < self.overtime:
            start, pairs = self.starts + pairs, pairs + 1
            played = mine[mine.starts == start]
            left = without(rotations(Pairing(start, pair)), played)
            for player in pair:
                total[player] += played.totals.get(player, 0.0)
        counted = (total[one], total[other])
        if left:
            return Duel(pair, tuple(left), None, counted, pairs)
        if total[one] != total[other]:
            return Duel(pair, (), max(pair, key=total.__getitem__), counted, pairs)
        return Duel(pair, (), min(pair, key=place.__getitem__), counted, pairs)


def knockout_of(declaration: Mapping[str, Any]) -> Knockout | None:
    """Return the bracket of a tournament as the store declares it; None of another format."""
    if declaration["format"] != "knockout":
        return None
    overtime = declaration.get("overtime", OVERTIME)
    return Knockout(
        tuple(declaration["names"]),
        declaration["games"] // declaration["seats"],
        overtime if isinstance(overtime, int) else MOST,  # it was "until-decided" in old stores
    )


def round_name(matches: int) -> str:
    """Return the name of a round with this number of matches.

    Examples
    --------
    >>> [round_name(matches) for matches in (1, 2, 4, 8)]
    ['final', 'semifinals', 'quarterfinals', 'round of 16']
    """
    names = {1: "final", 2: "semifinals", 4: "quarterfinals"}
    return names.get(matches, f"round of {2 * matches}")


def bracket_order(size: int) -> list[int]:
    """Return the seeds from top to bottom of a bracket of a power of two.

    Examples
    --------
    >>> bracket_order(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        last = 2 * len(order) - 1
        order = [seed for one in order for seed in (one, last - one)]
    return order
