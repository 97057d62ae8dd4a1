"""Proofs for a recorded game of two: a solver proves the winner ply by ply, from the end back.

The solver begins at the end, where positions are small, and stops when it proves nothing more. A
position whose move leads to a proven win for the same seat need not be solved.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.interaction import swap_of
from ludograph.referee.record import Event, Record

SHARE = 0.5
"""The largest share of the remaining time that one position gets."""

GIVEN_UP = 2
"""After this number of unproven positions in a row, earlier ones are not searched."""


class Value(IntEnum):
    """The value of a position for a seat."""

    LOSS = -1
    DRAW = 0
    WIN = 1


VALUES = {"loss": Value.LOSS, "draw": Value.DRAW, "win": Value.WIN}


@dataclass(slots=True)
class ProvenMove:
    """A move of the game, with its proofs.

    Attributes
    ----------
    ply
        The number of the move, from 1.
    before, after
        The values of the positions before and after it for the seat that made it; None if not
        proven.
    fair
        Whether the other seat could answer by taking this side, so that the move decides nothing.
    """

    ply: int
    seat: int
    text: str
    before: Value | None = None
    after: Value | None = None
    fair: bool = False

    @property
    def is_losing(self) -> bool:
        """Whether it gave away a win, or a draw."""
        if self.fair or self.before is None or self.after is None:
            return False
        return self.after < self.before

    @property
    def verdict(self) -> str:
        """The winner after this move, and whether the move lost the game; empty if unproven."""
        if self.after is None:
            return ""
        if self.after is Value.DRAW:
            now = "a draw"
        else:
            now = f"won for seat {self.seat if self.after is Value.WIN else 1 - self.seat}"
        if not self.is_losing:
            return f"proven: {now}"
        was = "a draw" if self.before is Value.DRAW else f"won for seat {self.seat}"
        return f"a losing move: it was {was}, it is {now}"


@dataclass(slots=True)
class Proof:
    """The proofs of a game.

    Attributes
    ----------
    moves
        All moves of seats, in order.
    nodes, seconds
        Positions searched, and the time.
    """

    moves: list[ProvenMove] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0

    @property
    def first_losing(self) -> ProvenMove | None:
        """The first move that is proven to be a mistake."""
        return next((move for move in self.moves if move.is_losing), None)

    @property
    def known_from(self) -> int | None:
        """The first ply with a proven value before it; None if there is none."""
        return next((move.ply for move in self.moves if move.before is not None), None)


def prove(
    record: Record, seconds: float, progress: Callable[[str], None] = lambda _: None
) -> Proof:
    """Solve the positions of a game of two, from its end back.

    Parameters
    ----------
    seconds
        The time limit for all of them together.
    progress
        Called with a text about the progress.

    Raises
    ------
    InvalidInput
        If it is no game of two, or the game's solver cannot solve its last positions.
    """
    if record.start.seats != 2:
        raise InvalidInput(f"{record.start.game.name}: only games of two are proven ply by ply")
    began = clock.perf_counter()
    proof, boards = Proof(), _boards(record)
    proof.moves = [
        ProvenMove(
            position.ply + 1,
            event.seat if event.seat is not None else 0,
            position.text(event.move or 0),
            fair=swap_of(after) is not None,
        )
        for position, event, after in boards
    ]
    solve = record.start.game.solving.solver()
    unproven, following = 0, _ending(boards[-1][2]) if boards else None
    for index in reversed(range(len(boards))):
        position, _, after = boards[index]
        move = proof.moves[index]
        move.after = _for_seat(following, after, move.seat)
        progress(f"ply {move.ply} of {len(boards)}")
        if move.after is Value.WIN or move.fair:
            move.before = move.after  # the seat that may exchange takes the better side
        elif unproven < GIVEN_UP:
            left = seconds - (clock.perf_counter() - began)
            try:
                solved = solve(position, max(0.01, SHARE * left))
            except InvalidInput:
                if index + 1 == len(boards):
                    raise
                break
            proof.nodes += solved.nodes
            move.before = VALUES.get(solved.verdict)
            unproven = 0 if move.before is not None else unproven + 1
        following = move.before
    proof.seconds = clock.perf_counter() - began
    return proof


def _boards(record: Record) -> list[tuple[Position, Event, Position]]:
    """Return the positions before and after each move of a seat, without those of chance."""
    found: list[tuple[Position, Event, Position]] = []
    before = record.start.copy()
    for position, event in record.positions():
        if event is not None and event.drop is not None:
            break
        now = position.copy()
        if event is not None and event.seat is not None:
            found.append((before, event, now))
        elif event is not None:
            raise InvalidInput(f"{now.game.name}: a game of chance cannot be proven ply by ply")
        before = now
    return found


def _ending(position: Position) -> Value | None:
    """Return the value of the end of a game for seat 0; None if it was not played to its end."""
    outcome = position.outcome()
    if outcome is None:
        return None
    return Value.DRAW if outcome.winner is None else Value(1 - 2 * outcome.winner)


def _for_seat(value: Value | None, position: Position, seat: int) -> Value | None:
    """Return the value of a position for a seat, from its value for the seat to move."""
    if value is None:
        return None
    to_move = position.turn if position.turn is not None else 0  # an end counts for seat 0
    return value if to_move == seat else Value(-value)
