"""One game of a series in one line: all that sums, tables and later runs need to know of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ludograph.referee.result import Fault, MatchResult
from ludograph.referee.seed import Seed


class FaultRow(msgspec.Struct, frozen=True):
    """What a player did wrong; players have the places in which they were given, from 0."""

    player: int
    seat: int
    reason: str
    message: str
    log: str = ""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a series; lists have an entry per player, in the order of the players' places.

    Attributes
    ----------
    game
        Its number, from 0.
    seed
        Of the players' own choices: a key, or a number in lists that older versions wrote.
    start
        The whole number by which its start was drawn, which all seatings share.
    seating
        The player on each seat.
    winner
        Its place; None for a draw, or if nobody wins.
    drawn
        The players that share the first rank.
    reason
        ``finished``, or the reason of the fault that ended the game.
    solved
        Whether a single player has done what it was to do.
    names
        As given, with what the players call themselves.
    moves, seconds
        How many moves they made, and the time of these together.
    """

    game: int
    seed: int | str
    start: int
    seating: list[int]
    winner: int | None
    drawn: list[int]
    reason: str
    plies: int
    solved: bool
    names: list[str]
    scores: list[float]
    ranks: list[int]
    moves: list[int]
    seconds: list[float]
    faults: list[FaultRow]
    finish_faults: list[FaultRow]

    @property
    def points(self) -> list[float]:
        """By player, the share of the others that it beat, ties counting half."""
        others = len(self.ranks) - 1
        if not others or {fault.player for fault in self.faults} >= set(self.seating):
            return [0.0] * len(self.ranks)
        return [
            (sum(other > own for other in self.ranks) + (self.ranks.count(own) - 1) / 2) / others
            for own in self.ranks
        ]


def row_of(
    number: int, seeds: tuple[Seed, int], seating: Sequence[int], result: MatchResult
) -> GameRow:
    """Return a game of a series as a row.

    Parameters
    ----------
    seeds
        Of the game, and the number of its start.
    seating
        The player on each seat.
    """
    seats = [list(seating).index(player) for player in range(len(seating))]
    outcome, ply = result.outcome, result.position.ply
    times = [[m.seconds for m in result.moves if m.seat == seat] for seat in seats]
    alone = len(seating) == 1
    several = len(outcome.winners) > 1

    def rows(faults: Sequence[Fault]) -> list[FaultRow]:
        return [
            FaultRow(
                seating[fault.seat],
                fault.seat,
                str(fault.reason),
                fault.message,
                result.logs.get(fault.seat) or fault.log,
            )
            for fault in faults
        ]

    return GameRow(
        game=number,
        seed=seeds[0].data,
        start=seeds[1],
        seating=list(seating),
        winner=None if alone or result.winner is None else seating[result.winner],
        drawn=[seating[seat] for seat in outcome.winners] if several else [],
        reason=result.reason,
        plies=len(result.moves),
        solved=alone and result.reason == "finished" and outcome.scores[0] >= -ply,
        names=[result.names[seat] for seat in seats],
        scores=[float(outcome.scores[seat]) for seat in seats],
        ranks=[outcome.ranks[seat] for seat in seats],
        moves=[len(found) for found in times],
        seconds=[round(sum(found), 9) for found in times],
        faults=rows(result.faults),
        finish_faults=rows(result.finish_faults),
    )
