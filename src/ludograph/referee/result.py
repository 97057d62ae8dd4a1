"""The result of a match: its moves, faults, outcome, and the sentence about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludograph.games import Outcome, Position
from ludograph.games.analysis_info import AnalysisInfo, to_data
from ludograph.games.pictures import titled
from ludograph.players import Reason
from ludograph.referee.seed import Seed
from ludograph.views import bitmaps, svg

FINISHED = "finished"
"""The reason of a game that ended by its rules."""


class PlayedMove(NamedTuple):
    """A move of a match: who played it (None: chance), its code, and the seconds it took.

    ``thoughts`` are those of its player, if players were asked for them.
    """

    seat: int | None
    move: int
    seconds: float
    thoughts: AnalysisInfo | None = None

    def to_data(self, position: Position) -> dict[str, Any]:
        """Return it as JSON-able data, with its text in any position of the game."""
        return {
            "seat": self.seat,
            "move": position.text(self.move),
            "time": round(self.seconds, 6),
            **({"thoughts": to_data(self.thoughts)} if self.thoughts else {}),
        }


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a player.

    Attributes
    ----------
    ply
        The number of moves played before it.
    log
        Head and tail of the player's output, or its traceback.
    answer
        The text of an illegal move.
    """

    seat: int
    reason: Reason
    message: str
    ply: int
    log: str = ""
    answer: str = ""


class Usage(NamedTuple):
    """CPU time and memory of a player in a process of its own, child processes included.

    Attributes
    ----------
    isolation
        The level at which it ran.
    cpu_seconds
        Of processor time, its start included.
    peak_bytes
        The most resident memory that was measured.
    """

    isolation: str
    cpu_seconds: float
    peak_bytes: int

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON-able data."""
        cpu = round(self.cpu_seconds, 4)
        return {"isolation": self.isolation, "cpu": cpu, "memory": self.peak_bytes}


@dataclass(slots=True)
class MatchResult:
    """The result of a match.

    Attributes
    ----------
    outcome
        Scores and ranks by seat.
    reason
        ``finished``, or the reason of the fault that ended the game.
    names
        By seat.
    position
        The referee's board at the end, or at the fault that ended the game.
    sentence
        The result in one sentence.
    finish_faults
        Faults of players after the end of the game; they change no result.
    logs
        By seat, head and tail of the output of a player in a process of its own.
    usage
        By seat, CPU time and memory of such a player, if they could be measured.
    remarks
        Sentences about problems that are no faults: unsound thoughts of players.
    seed, chance_seed
        The seeds with which the same match can be played again.
    starts
        By seat, the seconds that the start of such a player has taken.
    """

    outcome: Outcome
    reason: str
    names: tuple[str, ...]
    position: Position
    sentence: str = ""
    moves: list[PlayedMove] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    finish_faults: list[Fault] = field(default_factory=list)
    logs: dict[int, str] = field(default_factory=dict)
    usage: dict[int, Usage] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    seed: Seed | None = None
    chance_seed: Seed | None = None
    starts: dict[int, float] = field(default_factory=dict)

    @property
    def winner(self) -> int | None:
        """The seat that won; None for a draw, or if all seats forfeited."""
        winner = self.outcome.winner
        return None if any(fault.seat == winner for fault in self.faults) else winner

    def svg(self, size: int = 600, *, numbers: bool = False, names: bool = False) -> str:
        """Return a picture of the last position with the players and the result, as SVG.

        Numbers and names are those of :meth:`Position.svg`.
        """
        scene = titled(self.position, self.names, self.sentence, numbers=numbers, names=names)
        return svg.render(scene, size=size)

    def png(self, size: int = 600, *, numbers: bool = False, names: bool = False) -> bytes:
        """Return the picture of :meth:`svg` as a PNG file, twice as many pixels wide.

        Raises
        ------
        InvalidInput
            If the package that draws it, from the extra ``png``, is not installed.
        """
        return bitmaps.png_from_svg(self.svg(size, numbers=numbers, names=names))

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook."""
        return self.svg()

    def mean_seconds(self, seat: int) -> float:
        """The mean time of a seat's moves; 0 if it made none."""
        times = [played.seconds for played in self.moves if played.seat == seat]
        return sum(times) / len(times) if times else 0.0


def after(position: Position, moves: Sequence[PlayedMove]) -> Position:
    """Return a position after some moves."""
    position = position.copy()
    for played in moves:
        position.play(played.move)
    return position


def is_decided(position: Position, left: Mapping[int, int]) -> bool:
    """Tell whether a game is over: by its rules, or because at most one seat has not left."""
    return position.is_over or bool(left and position.seats - len(left) <= 1)


def ranked(scores: tuple[float, ...], left: Mapping[int, int]) -> Outcome:
    """Return scores and ranks by seat; ``left`` has the ply of each seat that dropped out.

    If all seats dropped out, all are last.
    """
    if len(left) == len(scores):
        return Outcome(scores, (len(scores),) * len(scores))
    return Outcome.from_scores(scores, left)


def reason_of(position: Position, left: Mapping[int, int], faults: Sequence[Fault]) -> str:
    """Return why a game ended: ``finished``, or the reason of the fault that ended it."""
    by_rule = position.is_over and len(left) < max(1, position.seats - 1)
    return FINISHED if by_rule else str(faults[-1].reason)
