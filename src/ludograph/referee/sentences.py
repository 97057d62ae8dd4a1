"""Sentences about a match: a player with its seat, a forfeit with its reason, the result."""

from __future__ import annotations

import re

from ludograph.formatting import one_line
from ludograph.players.forfeit import Reason
from ludograph.referee.result import FINISHED, Fault, MatchResult


def called(name: str, seat: int) -> str:
    """Return a player with its seat, as in ``greedy (seat 1)``."""
    return f"{name} (seat {seat})"


def drop_line(name: str, seat: int, reason: str, message: str = "") -> str:
    """Return the sentence on a player that drops out of a game that goes on."""
    return f"{called(name, seat)} {drop_text(reason, message)}"


def drop_text(reason: str, message: str) -> str:
    """Return the predicate of that sentence, which follows a name."""
    return f"drops out: {reason}{f', {message}' if message else ''}"


def take_back_line(name: str, seat: int) -> str:
    """Return the sentence on a player that takes a move back."""
    return f"{called(name, seat)} takes back"


def fault_line(result: MatchResult, fault: Fault, *, private: bool = True) -> str:
    """Return the sentence on a forfeit and its reason; see :func:`sentence_of`."""
    told = private and fault.message
    message = f", {one_line(fault.message, 400).rstrip('.')}" if told else ""
    name = called(result.names[fault.seat], fault.seat)
    if fault.reason == Reason.RESIGN:
        return f"{name} resigned{message}"
    return f"{name} forfeits: {fault.reason}{message}"


def finish_line(name: str, seat: int, reason: str, message: str) -> str:
    """Return the sentence on a fault after the end of the game."""
    fault = one_line(f"{reason}, {message}", 400).rstrip(".")
    return f"{called(name, seat)}, at the end of the game: {fault}; the result stands"


def sentence_of(result: MatchResult, *, private: bool = True) -> str:
    """Return the result in one sentence, or more where a player dropped out before the end.

    Parameters
    ----------
    private
        Whether it has the messages of faults. They quote what a player's author wrote, so the
        sentences that are stored for everybody have none.
    """
    lines = [fault_line(result, fault, private=private) for fault in result.faults]
    if result.reason != FINISHED:
        return _forfeit_sentence(result, "; ".join(lines))
    position = result.position
    outcome = position.game.presentation.result(position, result.outcome, result.names)
    return " ".join([outcome, *(f"{line}." for line in lines)])


MESSAGE = re.compile(r"(forfeits: [a-z-]+|resigned), .*", re.DOTALL)


def public_sentence(sentence: str) -> str:
    """Return a stored sentence without messages of faults, as earlier versions have written them.

    Examples
    --------
    >>> public_sentence("a.py (seat 0) wins, b.c (seat 1) forfeits: crash, raised ValueError: no.")
    'a.py (seat 0) wins, b.c (seat 1) forfeits: crash.'
    >>> public_sentence("Nobody wins: a.py (seat 0) forfeits: crash; b.c (seat 1) resigned.")
    'Nobody wins: a.py (seat 0) forfeits: crash; b.c (seat 1) resigned.'
    """
    return MESSAGE.sub(r"\1.", sentence)


def _forfeit_sentence(result: MatchResult, faults: str) -> str:
    """Return the result of a game that forfeits decided."""
    if result.winner is None:
        return f"{faults}." if len(result.names) == 1 else f"Nobody wins: {faults}."
    return f"{called(result.names[result.winner], result.winner)} wins, {faults}."


def shown_name(given: str, own: str) -> str:
    """Return a player's name as given, with its own name if that is different."""
    return given if not own or own == given else f"{given} “{own}”"


def is_shown_name(given: str, name: str) -> bool:
    """Tell whether :func:`shown_name` gives this name to a player, for any own name."""
    return name == given or (name.startswith(f"{given} “") and name.endswith("”"))
