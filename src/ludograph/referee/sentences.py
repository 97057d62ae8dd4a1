"""Sentences about a match: a player with its seat, a forfeit with its reason, the result."""

from __future__ import annotations

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


def fault_line(result: MatchResult, fault: Fault) -> str:
    """Return the sentence on a forfeit and its reason."""
    message = f", {one_line(fault.message, 400).rstrip('.')}" if fault.message else ""
    name = called(result.names[fault.seat], fault.seat)
    if fault.reason == Reason.RESIGN:
        return f"{name} resigned{message}"
    return f"{name} forfeits: {fault.reason}{message}"


def finish_line(name: str, seat: int, reason: str, message: str) -> str:
    """Return the sentence on a fault after the end of the game."""
    fault = one_line(f"{reason}, {message}", 400).rstrip(".")
    return f"{called(name, seat)}, at the end of the game: {fault}; the result stands"


def sentence_of(result: MatchResult) -> str:
    """Return the result in one sentence, or more where a player dropped out before the end."""
    if result.reason != FINISHED:
        return _forfeit_sentence(result)
    position = result.position
    outcome = position.game.presentation.result(position, result.outcome, result.names)
    return " ".join([outcome, *(f"{fault_line(result, fault)}." for fault in result.faults)])


def _forfeit_sentence(result: MatchResult) -> str:
    """Return the result of a game that forfeits decided."""
    faults = "; ".join(fault_line(result, fault) for fault in result.faults)
    if result.winner is None:
        return f"{faults}." if len(result.names) == 1 else f"Nobody wins: {faults}."
    return f"{called(result.names[result.winner], result.winner)} wins, {faults}."


def shown_name(given: str, own: str) -> str:
    """Return a player's name as given, with its own name if that is different."""
    return given if not own or own == given else f"{given} “{own}”"


def is_shown_name(given: str, name: str) -> bool:
    """Tell whether :func:`shown_name` gives this name to a player, for any own name."""
    return name == given or (name.startswith(f"{given} “") and name.endswith("”"))
