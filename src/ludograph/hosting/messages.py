"""A game as it is told to programs that speak Ludograph's own protocol: see `docs/programs.md`.

All of it comes from what every game declares, so programs play every game, a stranger's too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ludograph.boards import to_data
from ludograph.errors import IllegalMove
from ludograph.games import Outcome, Position, TimeLeft
from ludograph.games.dialogue import AnswerFault, Board, Dialogue, dropped
from ludograph.quoting import described

ABOUT_DRAWING = ("format", "version", "outlines", "links")
"""What a board's file holds beside the graph itself."""


class Messages(Dialogue):
    """One game with one program: messages, each a JSON object."""

    def __init__(self, position: Position, seat: int) -> None:
        self.seat = seat
        self.board = Board(position)
        self._texts: dict[int, str] = {}

    def order(self) -> Mapping[str, Any]:
        """Return all that is fixed in the game, and the program's seat."""
        position = self.board.position
        game = position.game
        return {
            "game": {
                "game": game.name,
                "game_version": game.version,
                "seat": self.seat,
                "seats": position.seats,
                "setup": game.describe(position),
                "board": graph(position),
            }
        }

    def question(self, moves: list[int], time_left: TimeLeft) -> dict[str, Any]:
        """Return what has happened, the clock, and the legal moves unless they are not wished."""
        told = list(self.events(moves))
        position = self.board.position
        question: dict[str, Any] = {"type": "play", "ply": position.ply}
        if self.legal:
            question["legal"] = [self.text(code) for code in position.legal_moves()]
        return {**question, "moves": told, "time_left": time_left._asdict()}

    def events(self, moves: list[int]) -> Iterator[dict[str, Any]]:
        """Yield what has happened since the program's own last move, and follow it.

        A line of a record says it likewise: who moved and what, or who dropped out.
        """
        own = self.board.answered is not None
        for seat, move in self.board.follow(moves, drops=True):
            if own:  # its own move is no news
                own = False
            elif move < 0:
                yield {"drop": dropped(move)}
            else:
                yield {"seat": seat, "move": self.text(move)}

    def move(self, said: Any) -> int:
        """Return the move that a text names."""
        if not isinstance(said, str):
            raise AnswerFault("protocol", f"answered {described(said)}, which is no text")
        try:
            code = self.board.position.parse(said)
        except IllegalMove as error:
            raise AnswerFault("illegal-move", str(error), said) from None
        self.board.answered = code
        return code

    def ending(self, outcome: Outcome | None) -> Mapping[str, Any] | None:
        """Return ranks and scores."""
        if outcome is None:
            return None
        return {"ranks": list(outcome.ranks), "scores": list(outcome.scores)}

    def text(self, move: int) -> str:
        """Return the text of a move, which is made once."""
        found = self._texts.get(move)
        if found is None:
            found = self._texts[move] = self.board.position.text(move)
        return found


def graph(position: Position) -> dict[str, Any]:
    """Return a board as a graph, with what moves call its vertices: None for those without."""
    board = position.board
    data = {key: value for key, value in to_data(board).items() if key not in ABOUT_DRAWING}
    names = position.game.cell_names(position)
    return {**data, "cells": [names.get(vertex) for vertex in range(board.n)]}
