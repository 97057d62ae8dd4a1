"""How a game is told to each kind of foreign player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ludograph.boards import to_data
from ludograph.errors import InvalidInput
from ludograph.games import AnyGame, Position, TimeLeft
from ludograph.games.dialogue import AnswerFault, Dialogue, More, ProgramInterface
from ludograph.hosting.channel import Answer
from ludograph.hosting.messages import Messages
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.quoting import described


def needed(kind: str, game: AnyGame) -> str:
    """Return what a host must know before a game begins, see ``host.Runner.prepare``."""
    if kind != "library":
        return game.name
    library = game.library_interface()
    return json.dumps(library.told() if library is not None else {})


def dialogue(kind: str, position: Position, seat: int) -> Dialogue:
    """Return the game that begins here as it is told to a kind of player."""
    if kind == "python":
        return Codes(position, seat)
    if kind == "cmd":
        return Messages(position, seat)
    return interface(kind, position.game).dialogue(position, seat)


def meaning(dialogue: Dialogue, answer: Answer) -> int | More:
    """Return the move of a host's answer, or what is to be asked still.

    Raises
    ------
    PlayerFault
        If it is no move.
    """
    said = answer.said if answer.move is None else answer.move
    if said is None:
        raise PlayerFault(Reason.PROTOCOL, f"answered {described(answer)}, which is no move")
    try:
        return dialogue.move(said)
    except AnswerFault as fault:
        raise PlayerFault(Reason(fault.reason), str(fault), answer=fault.illegal) from None


def interface(kind: str, game: AnyGame) -> ProgramInterface:
    """Return how libraries, or programs that speak a protocol, play a game.

    Raises
    ------
    InvalidInput
        If they do not.
    """
    if kind == "library":
        library = game.library_interface()
        if library is None:
            raise InvalidInput(f"{game.name} has no C interface")
        return library
    programs = game.program_interface(kind)
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
