"""The state of a live match as its pages show it, and the events of its changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.players import PlayerSpec
from ludograph.players.human import Turn
from ludograph.referee import PlayedMove
from ludograph.referee.clock import RunningClock
from ludograph.referee.options import MatchOptions
from ludograph.referee.player_factory import labels
from ludograph.web.match.consent import Proposal
from ludograph.web.positions.move_input import choices
from ludograph.web.positions.serializers import Data, SceneEncoder, frame, moved, view


class MatchState:
    """The board, moves, clocks and status of a match.

    Each method that changes it returns the events for the pages; the match has the lock.

    Attributes
    ----------
    frame
        The last frame.
    ask
        The legal moves of the person to move, and its seat; None if nobody is asked.
    people_names
        By seat, the name of the person; empty if unknown, and for a strategy.
    """

    def __init__(
        self,
        start: Position,
        players: Sequence[PlayerSpec],
        options: MatchOptions,
        people_names: Sequence[str],
        *,
        reads_all: bool = False,
    ) -> None:
        self.players, self._reads_all = players, reads_all
        self.names = labels(players)
        self.people_names = list(people_names)
        self.status: Data = {"state": "waiting", "text": ""}
        self.moves: list[Data] = []
        self.view: Data | None = None
        self.ask: Data | None = None
        self.proposal: Data | None = None
        self._encoder = SceneEncoder(start.scene())
        self._board = self._encoder.board(start)
        self._sent_shapes = 0
        self._clocks = [RunningClock(options.clock_of(player)) for player in players]
        board = start.copy()
        for played in options.earlier:
            board.play(played.move)
            self._count(played)
            self.moves.append(moved(board, *played[:3]))
        for seat, seconds in options.spent.items():
            self._clocks[seat].run(seconds)
        self.frame, self._shown = self._frame(board), board

    def begin(self) -> Data:
        """Note that all players are ready; return the event ``begun``."""
        self.status = {"state": "playing"}
        return {"type": "begun"}

    def move(self, position: Position, played: PlayedMove) -> Data:
        """Add a move; ``position`` is the one after it."""
        self._count(played)
        move = moved(position, *played[:3])
        self.moves.append(move)
        self.view = view(self._public(played), self._shown)
        self.status = {"state": "playing"}
        return self._changed("move", position, move=move | {"view": self.view})

    def drop(self, position: Position, text: str) -> Data:
        """Show the board after a seat has dropped out."""
        return self._changed("now", position, text=text)

    def take_back(self, position: Position, text: str) -> Data:
        """Forget the moves after this position."""
        del self.moves[position.ply :]
        self.view = None
        return self._changed("back", position, text=text)

    def set_clock(self, seat: int, left: float) -> None:
        """Set the seconds that a seat has left for the game."""
        self._clocks[seat].game = left

    def question(self, turn: Turn) -> Data:
        """Return the legal moves of a person, which takes time on large boards."""
        return {"seat": turn.seat, "kept": turn.kept(), **choices(turn.position, self._encoder)}

    def ask_for(self, question: Data) -> list[Data]:
        """Ask a person for a move; the last event is for that person only."""
        self.status, self.ask = {"state": "playing"}, question
        shapes = self._new_shapes()
        # to all: the numbers of shapes are the same for all pages
        told = [{"type": "shapes", **shapes}] if shapes else []
        return [*told, {"type": "ask", "ask": self.ask}]

    def propose(self, proposal: Proposal) -> Data:
        """Show a proposal, with the seats that have not answered yet."""
        self.proposal = {
            "number": proposal.number,
            "kind": proposal.kind,
            "seat": proposal.seat,
            "missing": sorted(seat for person in proposal.missing for seat in person),
        }
        return {"type": "proposal", "proposal": self.proposal}

    def settle(self, proposal: Proposal, how: str) -> Data:
        """Forget the proposal; ``how`` it ended is in the event."""
        self.proposal = None
        return {"type": "settled", "kind": proposal.kind, "seat": proposal.seat, "how": how}

    def rename(self, seats: Collection[int], name: str) -> Data:
        """Change the name of the person on some seats."""
        for seat in seats:
            self.people_names[seat] = name
            self.frame["seats"][seat]["called"] = name
        return {"type": "names", "names": self.people_names}

    def end(self, status: Data) -> Data:
        """Show the last status; nobody is asked any more."""
        self.status, self.ask = status, None
        return {"type": "end", "status": status}

    def last_mover(self, seats: Collection[int]) -> int | None:
        """Return the one of some seats that has moved last; None if none has."""
        movers = [move["seat"] for move in self.moves if move["seat"] in seats]
        return movers[-1] if movers else None

    def names_beside(self, seats: Collection[int]) -> list[str]:
        """Return the names of the others in this match, and of all seats' colors."""
        colors = [str(seat["color"]) for seat in self.frame["seats"]]
        players = [spec.text.partition(":")[0] for spec in self.players]
        people = [name for seat, name in enumerate(self.people_names) if seat not in seats]
        return [*colors, *players, *people]

    def whole(self, seats: Collection[int]) -> Data:
        """Return all of it for a page that plays these seats."""
        return {
            "type": "whole",
            "board": self._board,
            "shapes": self._encoder.shapes,
            "now": self.frame,
            "moves": self.moves,
            "view": self.view,
            "status": self.status,
            "own": sorted(seats),
            "ask": self.ask if self.ask is not None and self.ask["seat"] in seats else None,
            "proposal": self.proposal,
        }

    def _changed(self, kind: str, position: Position, **more: Any) -> Data:
        """Return the event of a changed board."""
        self.frame, self._shown = self._frame(position), position.copy()
        return {"type": kind, "now": self.frame, **more, **self._new_shapes()}

    def _frame(self, position: Position) -> Data:
        """Return a position with the present clocks."""
        specs = [spec.text for spec in self.players]
        levels = [spec.level for spec in self.players]
        now = frame(position, self._encoder, self.names, specs, levels)
        rows = zip(now["seats"], self._clocks, self.players, self.people_names, strict=True)
        for seat, clock, spec, called in rows:
            seat["person"] = spec.kind == "human"
            seat["called"] = called
            allowed = clock.left().allowed
            seat["left"] = None if allowed is None else round(allowed, 3)
        return now

    def _public(self, played: PlayedMove) -> AnalysisInfo | None:
        """Return the thoughts on a move that all pages may show: those of built-in players."""
        own = played.seat is not None and self.players[played.seat].kind == "strategy"
        return played.thoughts if own or self._reads_all else None

    def _count(self, played: PlayedMove) -> None:
        if played.seat is not None:
            self._clocks[played.seat].spend(played.seconds)

    def _new_shapes(self) -> Data:
        """Return the shapes that no page has been sent yet."""
        first, self._sent_shapes = self._sent_shapes, len(self._encoder.shapes)
        new = self._encoder.shapes[first:]
        return {"first": first, "shapes": new} if new else {}
