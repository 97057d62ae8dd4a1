"""The dialogues with foreign players: the messages to each kind, and its answers.

Python files receive codes of moves (`Codes`). Programs that speak Ludograph's own protocol receive
messages (`Messages`, see `docs/programs.md`). For libraries and HTP programs the game itself
defines the dialogue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ludograph.boards import to_data
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.formatting import described
from ludograph.games import AnyGame, Outcome, Position, TimeLeft
from ludograph.games.dialogue import (
    AnswerFault,
    Dialogue,
    DialogueBoard,
    More,
    ProgramInterface,
    dropped,
)
from ludograph.hosting.channel import Answer
from ludograph.hosting.sandbox.readable_paths import place
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.spec import PROGRAMS, PlayerSpec

ABOUT_DRAWING = ("format", "version", "outlines", "links")
"""The fields of a board's file beside the graph itself."""


def needed(kind: str, game: AnyGame) -> str:
    """Return the data that a host needs before a game begins, see ``host.Runner.prepare``."""
    if kind != "library":
        return game.name
    library = game.interop.library
    return json.dumps(library.description() if library is not None else {})


def dialogue(kind: str, position: Position, seat: int) -> Dialogue:
    """Return the dialogue of the game from this position for a kind of player."""
    if kind == "python":
        return Codes(position, seat)
    if kind == "cmd":
        return Messages(position, seat)
    return interface(kind, position.game).dialogue(position, seat)


def start_of(spec: PlayerSpec, dialogue: Dialogue, seed: int) -> dict[str, Any]:
    """Return the order to a host that starts a player with a game."""
    path = spec.target if spec.kind in PROGRAMS else place(spec.loaded_file)
    own = {"path": path, "entry": spec.entry, "options": spec.options, "seed": seed}
    return {**own, "commands": spec.commands, **dialogue.order()}


def answered_move(dialogue: Dialogue, answer: Answer) -> int | More:
    """Return the move of a host's answer, or a further question.

    Raises
    ------
    PlayerFault
        If it is no move.
    """
    said = answer.said if answer.move is None else answer.move
    if said is None:
        raise PlayerFault(Reason.PROTOCOL, f"answered {described(answer)}, which is not a move")
    try:
        return dialogue.move(said)
    except AnswerFault as fault:
        raise PlayerFault(Reason(fault.reason), str(fault), answer=fault.illegal) from None


def interface(kind: str, game: AnyGame) -> ProgramInterface:
    """Return how libraries, or programs that speak a protocol, play a game.

    Raises
    ------
    InvalidInput
        If they cannot play it.
    """
    if kind == "library":
        library = game.interop.library
        if library is None:
            raise InvalidInput(f"{game.name} has no C interface")
        return library
    programs = game.interop.programs.get(kind)
    if programs is None:
        raise InvalidInput(f"no {kind.upper()} program plays {game.name}")
    return programs


class Codes(Dialogue):
    """One game with a Python file, whose host knows the game: its start, then codes of moves."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position, self.seat = position, seat

    def order(self) -> Mapping[str, Any]:
        """Return the start of the game."""
        position = self.position
        return {
            "game": position.game.name,
            "board": to_data(position.board),
            "setup": position.game.describe(position),
            "seat": self.seat,
        }

    def question(self, moves: list[int], time_left: TimeLeft) -> tuple[list[int], TimeLeft]:
        """Return moves and clock as they are."""
        return moves, time_left

    def move(self, said: Any) -> int:
        """Return the code."""
        if not isinstance(said, int):
            raise AnswerFault("protocol", "answered no move")
        return said


class Messages(Dialogue):
    """One game with one program: messages, each a JSON object."""

    def __init__(self, position: Position, seat: int) -> None:
        self.seat = seat
        self.board = DialogueBoard(position)
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
        """Return the events, the clock, and the legal moves if the program wants them."""
        events = list(self.events(moves))
        position = self.board.position
        question: dict[str, Any] = {"type": "play", "ply": position.ply}
        if self.legal:
            question["legal"] = [self.text(code) for code in position.legal_moves()]
        return {**question, "moves": events, "time_left": time_left._asdict()}

    def events(self, moves: list[int]) -> Iterator[dict[str, Any]]:
        """Yield the events since the program's own last move, and play them.

        They have the form of a record's lines: the seat and its move, or a seat that dropped out.
        """
        own = self.board.answered is not None
        for seat, move in self.board.follow(moves, drops=True):
            if own:  # it knows its own move
                own = False
            elif move < 0:
                yield {"drop": dropped(move)}
            else:
                yield {"seat": seat, "move": self.text(move)}

    def move(self, said: Any) -> int:
        """Return the move that a text names."""
        if not isinstance(said, str):
            raise AnswerFault("protocol", f"answered {described(said)}, which is not a text")
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
        """Return the text of a move; each is made once."""
        found = self._texts.get(move)
        if found is None:
            found = self._texts[move] = self.board.position.text(move)
        return found


def graph(position: Position) -> dict[str, Any]:
    """Return a board as a graph, with its vertices' names in moves: None for those without."""
    board = position.board
    data = {key: value for key, value in to_data(board).items() if key not in ABOUT_DRAWING}
    names = position.game.presentation.cell_names(position)
    return {**data, "cells": [names.get(vertex) for vertex in range(board.n)]}
