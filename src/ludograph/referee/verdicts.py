"""Verdicts on a player's answer: a legal move, or a fault of the player."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ludograph.errors import IllegalMove
from ludograph.formatting import described
from ludograph.games import Position
from ludograph.games.strategy import RESIGN
from ludograph.players import PlayerFault, PlayerSpec, Reason
from ludograph.players.protocol import Playing, move_code
from ludograph.players.spec import PROGRAMS


def judge(position: Position, spec: Playing | PlayerSpec, answer: Any) -> int:
    """Play an answer on the referee's board and return its code.

    Raises
    ------
    PlayerFault
        If it is no move, an illegal move, or a resignation.
    """
    if isinstance(answer, str):
        answer = str.__str__(answer)  # the methods of a subclass would run the player's code here
        if answer == RESIGN:
            raise PlayerFault(Reason.RESIGN, "it resigned")
    elif (whole := move_code(answer)) is not None:
        answer = whole
    else:
        raise PlayerFault(Reason.PROTOCOL, f"answered {described(answer)}, which is not a move")
    try:
        code = position.parse(answer) if isinstance(answer, str) else answer
        position.play(code)
    except IllegalMove as error:
        if not names_a_move(position, spec, answer):
            raise PlayerFault(Reason.PROTOCOL, str(error)) from None
        raise PlayerFault(
            Reason.ILLEGAL_MOVE, str(error), answer=answer_text(position, answer)
        ) from None
    return code


def names_a_move(position: Position, spec: Playing | PlayerSpec, answer: Any) -> bool:
    """Tell whether an answer is a move of this game at all, though not a legal one here."""
    if isinstance(spec, PlayerSpec) and spec.kind != "python":
        return True  # its dialogue has parsed its text already
    try:
        if isinstance(answer, str):
            position.parse(answer)
        else:
            position.text(answer)
    except IllegalMove:
        return False
    return True


def placed(position: Position, spec: Playing | PlayerSpec, fault: PlayerFault) -> PlayerFault:
    """Return a fault with its ply; for C players and programs, with the legal moves too."""
    where = f"at {position.ply_text(coming=True)}"
    lists_moves = isinstance(spec, PlayerSpec) and spec.kind in ("library", *PROGRAMS)
    if fault.reason is Reason.ILLEGAL_MOVE and lists_moves:
        where += f" {position.legal_text()}"
    elif fault.reason not in (Reason.CRASH, Reason.PROTOCOL):
        return fault
    return PlayerFault(fault.reason, f"{fault.message}; {where}", fault.log, fault.answer)


def answer_text(position: Position, answer: Any) -> str:
    """Return the text of an illegal move, in the game's notation if it is a move at all."""
    if isinstance(answer, str):
        return answer
    with suppress(IllegalMove):
        return position.text(answer)
    return described(answer)
