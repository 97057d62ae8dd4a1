"""Advice: the move of a strategy, or of best play, in a position of a recorded game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludograph.errors import InvalidInput
from ludograph.games import Position, TimeLeft
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.analysis_info_validation import validated
from ludograph.games.registry import declaration
from ludograph.games.solving import WORDS, sentence
from ludograph.games.strategy import Strategy
from ludograph.players import parse_player
from ludograph.players.protocol import ChoosingPlayer, thoughts_of
from ludograph.referee.record import Record

TIME = "time"
"""The option of strategies that limits the seconds of a search."""

LOSS = "loss"
"""The verdict of a solver on a position that is lost for the seat to move."""

USUAL_STRATEGY = "mcts"
"""The default strategy; a game without it uses its adviser."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommended move in a position.

    Attributes
    ----------
    text
        A sentence.
    cells
        The cells at which a person points to choose the move.
    info
        The strategy's thoughts, or the line of best play; None: nothing.
    detail
        Further text beside ``info``, or an empty text.
    move
        The recommended move; None: none is better than others.
    """

    text: str
    cells: list[int]
    info: AnalysisInfo | None = None
    detail: str = ""
    move: int | None = None


def has_time(strategy: Strategy) -> bool:
    """Tell whether a strategy has an option that limits its search in seconds."""
    return any(option.name == TIME for option in strategy.options)


def advisers(position: Position) -> list[str]:
    """Return the strategies for advice in a position, the usual one first.

    They have an option that limits their search in seconds, and need no other setting.
    """
    found = position.game.strategies
    adviser = position.game.adviser(position.seats).partition(":")[0]
    first = USUAL_STRATEGY if USUAL_STRATEGY in found else adviser
    fitting = [
        name for name, each in found.items() if has_time(each) and each.plays_alone(position.seats)
    ]
    return sorted(fitting, key=lambda name: (name != first, name))


def advice_at(
    position: Position, name: str | None, *, strategy_seconds: float, solver_seconds: float
) -> Advice:
    """Return the move of a strategy in a position; without a name, that of best play.

    Parameters
    ----------
    strategy_seconds, solver_seconds
        The seconds for the search of a strategy, and for the solver.

    Raises
    ------
    InvalidInput
        If no seat is to move there, or the strategy cannot play this game.
    """
    if position.is_over or position.turn is None or position.turn < 0:
        raise InvalidInput("no player is to move in this position")
    if name is None:
        if declaration(position.game.name).solving is None:
            raise InvalidInput("this game cannot be solved")
        return best_play(position, solver_seconds)
    if name not in advisers(position):
        raise InvalidInput(f"{name[:40]!r} is not an adviser here")
    return strategy_advice(position, name, strategy_seconds)


def position_at(record: Record, step: int, moves: Sequence[str] = ()) -> Position:
    """Return the position after a number of steps of a game, and after moves that follow it.

    Parameters
    ----------
    moves
        Texts of moves of seats and of chance, which need not be those of the game.

    Raises
    ------
    InvalidInput
        If the game has no such step.
    IllegalMove
        If a move is not legal.
    """
    for number, (position, _) in enumerate(record.positions()):
        if number == step:
            found = position.copy()
            for move in moves:
                found.play(move)
            return found
    raise InvalidInput("the game has fewer moves")


def strategy_advice(position: Position, name: str, seconds: float) -> Advice:
    """Return the move that a strategy chooses within a number of seconds."""
    game = position.game
    spec = parse_player(f"{name}:{TIME}={seconds:g}", game, position.seats)
    player = ChoosingPlayer(game.strategy(spec.target).create(spec.options, 0))
    player.start(position.copy(), int(position.turn or 0))
    move = int(player.play([], TimeLeft(2 * seconds)))
    info = thoughts_of(player)
    return Advice(
        f"advises: {game.interaction.hint(position, move)}",
        cells_of(position, move),
        None if info is None else validated(info, position),
        move=move,
    )


def best_play(position: Position, seconds: float) -> Advice:
    """Return the line of best play that the solver finds within a number of seconds.

    In a lost position no move is recommended: the text gives the length of the line.
    """
    found = position.game.solving.solve(position, seconds)
    line = tuple(texts_of_line(position, found.line))
    text = found.text.replace("; --time gives more", "")  # pages do not have this option
    best = f"\nBest line: {' '.join(line)}" if line else ""
    whole = "\n" not in text or found.verdict not in WORDS
    first = text.partition("\n")[0] if whole else f"{sentence(position, found.verdict)}."
    lost = found.verdict == LOSS
    if lost and line:
        first = f"{first.rstrip('.')}. No move saves the game; it can last {_more(len(line))}."
    return Advice(
        first,
        cells_of(position, found.line[0]) if found.line and not lost else [],
        AnalysisInfo(line=line) if line else None,
        f"{text}{best}",
        found.line[0] if found.line and not lost else None,
    )


def _more(moves: int) -> str:
    return "one more move" if moves == 1 else f"{moves} more moves"


def cells_of(position: Position, move: int) -> list[int]:
    """Return the cells at which a person points to choose a move."""
    return sorted(
        int(cell) for part in position.game.interaction.pointed(position, move) for cell in part
    )


def texts_of_line(position: Position, line: Sequence[int]) -> Iterator[str]:
    """Yield the texts of moves that follow each other."""
    board = position.copy()
    for move in line:
        yield board.text(move)
        board.push(move)
