"""Puzzles: positions of recorded or random games in which exactly one move wins, with a proof."""

from __future__ import annotations

import itertools
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ludograph.analysis.advice import texts_of_line
from ludograph.analysis.proofs import GIVEN_UP, SHARE
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.interaction import swap_of
from ludograph.games.registry import declaration
from ludograph.games.solution import Solution
from ludograph.referee.record import Record
from ludograph.rules import random_state

FEWEST_MOVES = 3
"""The least number of legal moves of a puzzle: with fewer it is too easy."""

Solver = Callable[[Position, float], Solution]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one move wins and all others do not.

    Attributes
    ----------
    position
        The position, in which the seat to move wins.
    ply
        The moves played before it.
    move
        The code of the winning move.
    line
        The texts of that move and of the best play after it, as far as it is known.
    """

    position: Position
    ply: int
    move: int
    line: tuple[str, ...]

    @property
    def question(self) -> str:
        """The task, in a sentence."""
        seat = self.position.turn or 0
        color = self.position.game.presentation.seat_facts(self.position, seat).color
        who = color.capitalize() if color else f"Seat {seat}"
        return f"{who} is to move, and only one move wins. Which one?"


def find_puzzles(record: Record, seconds: float) -> list[Puzzle]:
    """Return the puzzles of a recorded game of two, those near its end last.

    The search begins at the end of the game, where positions are small, and stops when the solver
    proves nothing more.

    Parameters
    ----------
    seconds
        The time to spend at most.

    Raises
    ------
    InvalidInput
        If the game has no solver, or is not for two seats without chance.
    """
    check_solvable(record.start)
    deadline = clock.perf_counter() + seconds
    return _puzzles_of(_positions(record), record.start.game.solving.solver(), deadline)


def make_puzzles(start: Position, count: int, seconds: float, seed: int = 0) -> Iterator[Puzzle]:
    """Yield puzzles from random games that begin with a position, each from another game.

    From each game it is the earliest position in which the solver proves that exactly one move
    wins. There are fewer puzzles if the time ends before.

    Parameters
    ----------
    count
        The most puzzles.
    seconds
        The time to spend at most.
    seed
        The seed of the random games.

    Raises
    ------
    InvalidInput
        If the game has no solver, or is not for two seats without chance.
    """
    check_solvable(start)
    deadline = clock.perf_counter() + seconds
    solve: Solver = start.game.solving.solver()
    seen: set[bytes] = set()
    for number in itertools.count():
        left = deadline - clock.perf_counter()
        if left <= 0 or len(seen) == count:
            return
        positions = _random_game(start, seed, number)
        until = clock.perf_counter() + SHARE * left / (count - len(seen))
        found = _puzzles_of(positions, solve, until)
        if found and (state := found[0].position.state.tobytes()) not in seen:
            seen.add(state)
            yield found[0]


def check_solvable(start: Position) -> None:
    """Raise InvalidInput if games from a position cannot have puzzles."""
    game = start.game
    if start.seats != 2 or declaration(game.name).solving is None:
        raise InvalidInput(f"{game.name}: puzzles are made of games of two that can be solved")


def _puzzles_of(positions: Sequence[Position], solve: Solver, deadline: float) -> list[Puzzle]:
    """Return the puzzles among the positions of a game, which are searched from its end back."""
    found: list[Puzzle] = []
    unproven = 0
    for position in reversed(positions):
        left = deadline - clock.perf_counter()
        if left <= 0 or unproven >= GIVEN_UP:
            break
        try:
            proven, move = only_winning_move(position, solve, SHARE * left)
        except InvalidInput:  # the solver cannot solve such positions
            break
        unproven = 0 if proven else unproven + 1
        if move is not None:
            found.append(Puzzle(position, position.ply, move, _line(position, move, SHARE * left)))
    return found[::-1]


def only_winning_move(position: Position, solve: Solver, seconds: float) -> tuple[bool, int | None]:
    """Return whether a position is decided, and its winning move if exactly one wins.

    Parameters
    ----------
    seconds
        The time to spend at most.
    """
    deadline = clock.perf_counter() + seconds
    verdict = solve(position, seconds).verdict
    if verdict != "win":
        return verdict in ("loss", "draw"), None
    winning: int | None = None
    for move in position.legal_moves():
        wins = _wins(position, move, solve, deadline - clock.perf_counter())
        if wins is None:
            return False, None
        if wins and winning is not None:
            return True, None
        winning = move if wins else winning
    return True, winning


def _wins(position: Position, move: int, solve: Solver, seconds: float) -> bool | None:
    """Tell whether a move wins for the seat to move; None if that is not proven in time."""
    seat, board = position.turn, position.copy()
    board.push(move)
    outcome = board.outcome()
    if outcome is not None:
        return outcome.winner == seat
    if seconds <= 0:
        return None
    verdict = solve(board, seconds).verdict
    if verdict not in ("win", "loss", "draw"):
        return None
    return verdict == ("win" if board.turn == seat else "loss")


def _line(position: Position, move: int, seconds: float) -> tuple[str, ...]:
    """Return best play from the winning move on."""
    line = position.game.solving.solve(position, max(0.01, seconds)).line
    return tuple(texts_of_line(position, line if line[:1] == (move,) else (move,)))


def _positions(record: Record) -> list[Position]:
    """Return the positions of a game that may be puzzles, up to a forfeit."""
    found = []
    for position, event in record.positions():
        if position.is_chance or (event is not None and event.seat is None and event.drop is None):
            raise InvalidInput(_WITH_CHANCE.format(position.game.name))
        if event is not None and event.drop is not None:
            break
        if _is_worthwhile(position):
            found.append(position.copy())
    return found


def _random_game(start: Position, seed: int, number: int) -> list[Position]:
    """Return the positions of a random game that may be puzzles."""
    position, found = start.copy(), []
    rng = random_state(seed, number)
    while not position.is_over:
        if position.is_chance:
            raise InvalidInput(_WITH_CHANCE.format(position.game.name))
        if _is_worthwhile(position):
            found.append(position.copy())
        position.play_random(rng)
    return found


_WITH_CHANCE = "{}: there are no puzzles in a game of chance"


def _is_worthwhile(position: Position) -> bool:
    """Tell whether a position may be a puzzle: it has enough moves, and no exchange."""
    some = not position.is_over and len(position.legal_moves()) >= FEWEST_MOVES
    return some and swap_of(position) is None
