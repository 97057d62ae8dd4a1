"""A recorded match: its header, events and end, each position, and a player that repeats it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.pictures import titled
from ludograph.players import Player, Reason
from ludograph.referee.match import play_match
from ludograph.referee.options import MatchOptions
from ludograph.referee.result import MatchResult, PlayedMove, is_decided
from ludograph.views import animation, bitmaps, svg

LONGEST = 400
"""The most plies of a game that a notebook animates; of a longer game it shows the end."""


@dataclass(slots=True)
class Event:
    """A line of a record: a move of a seat or of chance, or a seat that dropped out."""

    move: int | None = None
    seat: int | None = None
    seconds: float = 0.0
    drop: int | None = None
    reason: str = ""
    message: str = ""
    answer: str = ""
    log: str = ""
    thoughts: AnalysisInfo | None = None


class Replay:
    """The board of a recorded game while it is replayed.

    Attributes
    ----------
    left
        The seats that have dropped out, each with its ply; -1 if it never started.
    """

    def __init__(self, start: Position) -> None:
        self.position = start.copy()
        self.left: dict[int, int] = {}

    @property
    def decided(self) -> bool:
        """Whether only the end can follow."""
        return is_decided(self.position, self.left)

    def apply(self, event: Event) -> None:
        """Apply an event as the referee did; a fault that ends the game leaves the board."""
        if event.move is not None:
            self.position.push(event.move)
        elif event.drop is not None:
            started = event.reason != Reason.NO_START
            self.left[event.drop] = self.position.ply if started else -1
            if not self.decided:
                self.position.drop(event.drop)


@dataclass(slots=True)
class Record:
    """A record, read and checked: every move in it is legal.

    Attributes
    ----------
    start
        The position before the first move.
    events
        The events, in order.
    end
        The last line, or None for a game that was interrupted.
    warning
        A sentence about a line that was left out, or an empty text.
    finish_faults
        Faults of players after the end of the game; they change no result.
    spent
        By seat, the seconds that it has used without a move that stands, as for moves that were
        taken back: a game that goes on has so much less time.
    logs
        By seat, head and tail of the output of a player in a process of its own.
    """

    header: dict[str, Any]
    start: Position
    events: list[Event] = field(default_factory=list)
    end: dict[str, Any] | None = None
    warning: str = ""
    finish_faults: list[Event] = field(default_factory=list)
    spent: dict[int, float] = field(default_factory=dict)
    logs: dict[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        players = " against ".join(self.names)
        return f"<record of {self.start.game.name}, {players}: {self.sentence}>"

    @property
    def names(self) -> list[str]:
        """The players by seat."""
        names = (self.end or {}).get("names")
        if not isinstance(names, list) or len(names) != self.start.seats:
            names = self.header["players"]
        return [str(name) for name in names]

    @property
    def sentence(self) -> str:
        """The result in one sentence, or that there is none."""
        if self.end is None:
            return f"The game was interrupted after {counted(self.move_count, 'move')}."
        return str(self.end.get("sentence") or f"The game has ended: {self.end.get('end')}.")

    @property
    def plies(self) -> int:
        """The number of moves, chance included."""
        return sum(event.move is not None for event in self.events)

    @property
    def move_count(self) -> int:
        """The number of moves that seats have played: the plies without those of chance."""
        return sum(event.move is not None and event.seat is not None for event in self.events)

    def positions(self) -> Iterator[tuple[Position, Event | None]]:
        """Yield the board at the start and after each event, the same object each time."""
        board = Replay(self.start)
        yield board.position, None
        for event in self.events:
            board.apply(event)
            yield board.position, event

    def rematch(self, **options: Any) -> MatchResult:
        """Play the same match again, with the options in the header.

        The names are those given for the first match; relative paths start at the current folder.
        ``options`` go to :func:`play_match`.

        Raises
        ------
        InvalidInput
            If a player was a Python object, or a player is not found.
        """
        return play_match(self.start, self.specs, **{**self._settings, **options})

    def options(self, **changes: Any) -> MatchOptions:
        """Return the options with which the interrupted game goes on after its moves.

        Parameters
        ----------
        changes
            Keywords of :meth:`MatchOptions.checked` in place of those in the header.

        Raises
        ------
        InvalidInput
            If the game has ended, or a player has dropped out of it.
        """
        kept = {**self._settings, "earlier": self.earlier(), "spent": self.spent}
        return MatchOptions.checked(**{**kept, **changes})

    @property
    def specs(self) -> list[str]:
        """The players as written on the command line, by seat; InvalidInput if one has no name."""
        specs = self.header.get("specs") or [None]
        for seat, spec in enumerate(specs):
            if spec is None:
                name = self.header["players"][seat]
                raise InvalidInput(f"seat {seat}, {name}, is a Python object and has no name")
        return [str(spec) for spec in specs]

    @property
    def _settings(self) -> dict[str, Any]:
        """The keywords of :func:`play_match` in the header."""
        return {
            "clock": self.header.get("clock"),
            "foreign_clock": self.header.get("foreign_clock"),
            "seed": self.seed_of("seed"),
            "chance_seed": self.seed_of("chance_seed"),
            "opening": self.opening,
        }

    def seed_of(self, name: str) -> int | str | None:
        """Return the ``seed`` or the ``chance_seed``; None if the record does not contain it.

        A number is in the header; a key, secret during the game, is in the last line.
        """
        found: int | str | None = {**self.header, **(self.end or {})}.get(name)
        return found

    @property
    def moves(self) -> list[PlayedMove]:
        """The moves of all seats and of chance, in order."""
        return [
            PlayedMove(each.seat, each.move, each.seconds, each.thoughts)
            for each in self.events
            if each.move is not None
        ]

    @property
    def dealt(self) -> list[int]:
        """The moves of chance, in order."""
        return [each.move for each in self.moves if each.seat is None]

    @property
    def opening(self) -> list[int]:
        """The opening moves that the referee played for the seats."""
        count = len(self.header.get("opening", ()))
        return [event.move for event in self.events[:count] if event.move is not None]

    def earlier(self) -> list[PlayedMove]:
        """Return the moves of an interrupted game, after which it can go on.

        Raises
        ------
        InvalidInput
            If the game has ended, or a player has dropped out of it.
        """
        if self.end is not None:
            raise InvalidInput("this game has ended, so it cannot go on")
        if any(event.move is None for event in self.events):
            raise InvalidInput("a player has dropped out of this game, so it cannot go on")
        return self.moves

    def svg(
        self,
        ply: int | None = None,
        size: int = 600,
        *,
        numbers: bool = False,
        names: bool = False,
    ) -> str:
        """Return a picture of a position of the game, of the last one by default, as SVG.

        Numbers and names are those of :meth:`Position.svg`.

        Raises
        ------
        InvalidInput
            If the game has fewer moves.
        """
        last = ply is None or ply == self.plies
        sentence = str((self.end or {}).get("sentence") or "") if last else ""
        position = self.position_at(self.plies if ply is None else ply)
        scene = titled(position, self.names, sentence, numbers=numbers, names=names)
        return svg.render(scene, size=size)

    def png(
        self,
        ply: int | None = None,
        size: int = 600,
        *,
        numbers: bool = False,
        names: bool = False,
    ) -> bytes:
        """Return the picture of :meth:`svg` as a PNG file, twice as many pixels wide.

        Raises
        ------
        InvalidInput
            As :meth:`svg` does, and without the extra ``png``.
        """
        return bitmaps.png_from_svg(self.svg(ply, size, numbers=numbers, names=names))

    def animation(
        self,
        size: int = 600,
        *,
        seconds_per_frame: float = 0.6,
        numbers: bool = False,
        names: bool = False,
    ) -> str:
        """Return a picture that plays the whole game, as SVG; a click stops it and goes on.

        Numbers and names are those of :meth:`Position.svg`.

        Raises
        ------
        InvalidInput
            If the time is not positive.
        """
        scenes = [
            titled(position, self.names, numbers=numbers, names=names)
            for position, _ in self.positions()
        ]
        return animation.render(scenes, size=size, seconds_per_frame=seconds_per_frame)

    def _repr_svg_(self) -> str:
        """Return the picture for a notebook: an animation, or the end of a long game."""
        return self.animation() if self.plies <= LONGEST else self.svg()

    def position_at(self, ply: int) -> Position:
        """Return the board after a number of moves.

        Raises
        ------
        InvalidInput
            If the game has fewer.
        """
        if not 0 <= ply <= self.plies:
            raise InvalidInput(f"ply {ply}: the record has plies 0 to {self.plies}")
        return next(position for position, _ in self.positions() if position.ply == ply)


class RecordedPlayer:
    """A player that repeats the moves of a record as long as the game follows it.

    Parameters
    ----------
    record
        The record; its moves are those of all seats and of chance.
    then
        The player for the rest, when the game leaves the record or the record ends.
    name
        The name shown for its seat, as in the record.
    """

    def __init__(self, record: Record, then: Player, name: str) -> None:
        self.name = name
        self.moves = [event.move for event in record.events if event.move is not None]
        self.then = then
        self.played: list[int] = []
        self.untold: list[int] = []  # moves that the other player has not been sent yet

    def start(self, position: Position, seat: int) -> None:
        """Begin the game."""
        self.then.start(position, seat)

    def play(self, moves: list[int], time_left: TimeLeft) -> Any:
        """Return the recorded move, or another one."""
        self.untold += moves
        self.played += [move for move in moves if move >= 0]
        now = len(self.played)
        move: Any
        if now < len(self.moves) and self.played == self.moves[:now]:
            move = self.moves[now]
            self.untold.append(move)
        else:
            move = self.then.play(self.untold, time_left)
            self.untold = []
        self.played.append(move)
        return move

    def finish(self, outcome: Outcome | None) -> None:
        """End the game."""
