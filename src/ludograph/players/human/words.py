"""The words that a person types: a move, an unambiguous part of one, or a request."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from ludograph.errors import IllegalMove
from ludograph.games import Position
from ludograph.games.interaction import in_words, task
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.human.player import Quit, TakeBack, Turn

MOVES = "moves"
"""The word for a list of the legal moves."""

LISTED = 60
"""The most legal moves in a refusal, or in a list on one screen."""

NUMBER_LIMIT = 20
"""The most characters of a move's number in the list of moves."""


def understand(
    turn: Turn, text: str, refusal: Callable[[Position, int], str] = Position.why_not
) -> int | list[str]:
    """Return the legal move of a text, or else lines to show.

    The text may be a move in the game's notation; its number in the list of ``moves``, as ``#3``;
    the beginning of a word, if only one legal move begins with it; or a symbol on the board, if
    only one legal move is chosen by cells with it.

    Parameters
    ----------
    refusal
        Returns why a move is not legal.

    Raises
    ------
    PlayerFault
        With the reason ``resign``.
    TakeBack, Quit
        If the text is this request.
    """
    text = text.strip()
    try:
        code = turn.position.parse(text)
    except IllegalMove as error:
        unknown = str(error)
    else:
        if turn.position.is_legal(code):
            return code
        return [refusal(turn.position, code)]
    if text.lower() in WISHES:
        return WISHES[text.lower()](turn)
    found = meant(turn, text)
    if len(found) == 1:
        return found[0]
    if found:
        return [f"{text} may be {' or '.join(map(turn.position.text, found[:LISTED]))}"]
    abbreviated = begun_by(turn.position, text)
    if abbreviated is not None:
        return [refusal(turn.position, abbreviated)]
    return [f"{unknown}; ? helps"] if text else []


def wished(text: str) -> bool:
    """Tell whether a text is a request rather than a move."""
    return text.strip().lower() in WISHES


def meant(turn: Turn, text: str) -> list[int]:
    """Return the legal moves that a text may mean if it is not in the game's notation."""
    if len(text) <= NUMBER_LIMIT and re.fullmatch("#[0-9]+", text):
        number = int(text[1:])
        return list(turn.moves.values())[number - 1 : number] if number else []
    if text.isalpha():
        word = text.lower()
        begun = [code for move, code in turn.moves.items() if move.lower().startswith(word)]
        if begun:
            return begun
    return by_symbol(turn, text) if len(text) == 1 else []


def begun_by(position: Position, text: str) -> int | None:
    """Return the only code whose word begins with a text, among the lowest codes, legal or not."""
    found = []
    for code in range(LISTED) if text.isalpha() else ():
        with suppress(IllegalMove):
            if position.text(code).lower().startswith(text.lower()):
                found.append(code)
    return found[0] if len(found) == 1 else None


def by_symbol(turn: Turn, symbol: str) -> list[int]:
    """Return the legal moves that are chosen by one cell, if such cells show the symbol."""
    game, position = turn.position.game, turn.position
    scene = position.scene()
    shown = {number for number, swatch in enumerate(scene.palette) if swatch.symbol == symbol}
    return [
        code
        for code in turn.moves.values()
        if len(parts := game.interaction.pointed(position, code)) == 1
        and any(int(scene.fills[cell]) in shown for cell in parts[0])
    ]


def help_lines(turn: Turn) -> list[str]:
    """Return the notation of moves in this game, and the other words that can be typed."""
    game, moves = turn.position.game, list(turn.moves)
    written = (
        f"A move is written as {game.interaction.written_as}. "
        if game.interaction.written_as
        else ""
    )
    legal = f"{len(moves)} moves are legal now" if len(moves) > 1 else "One move is legal now"
    return [
        f"{task(turn.position)}. {written}{legal}, such as {moves[len(moves) // 2]}.",
        *(f"{word:<7} {summary}" for word, summary in SUMMARIES.items()),
    ]


def listed_moves(turn: Turn) -> list[str]:
    """Return the legal moves with their numbers and effects.

    The effect of a move is given if its text does not show it, as for a meeple on a road.
    """
    moves = enumerate(turn.moves.values(), 1)
    return [f"#{number} {in_words(turn.position, move)}" for number, move in moves]


def moves_lines(turn: Turn) -> list[str]:
    """Return the legal moves in columns for a terminal."""
    listed = listed_moves(turn)
    size = max(map(len, listed)) + 2
    across = max(1, 78 // size)
    rows = [listed[first : first + across] for first in range(0, len(listed), across)]
    return ["".join(f"{text:<{size}}" for text in row).rstrip() for row in rows]


def _hint(turn: Turn) -> list[str]:
    return [f"hint: {in_words(turn.position, turn.advice())}"]


def _undo(turn: Turn) -> list[str]:
    reason = turn.kept()
    if reason:
        return [f"undo: {reason}"]
    raise TakeBack


def _resign(turn: Turn) -> list[str]:  # noqa: ARG001
    raise PlayerFault(Reason.RESIGN, "")


def _quit(turn: Turn) -> list[str]:  # noqa: ARG001
    raise Quit


WISHES: dict[str, Callable[[Turn], list[str]]] = {
    "?": help_lines,
    "help": help_lines,
    MOVES: moves_lines,
    "hint": _hint,
    "undo": _undo,
    "resign": _resign,
    "quit": _quit,
}
"""The words that can be typed beside moves."""

SUMMARIES = {
    "?": "this",
    MOVES: "all legal moves; #3 plays the third of them",
    "hint": "what a search of one second would play",
    "undo": "take your last move back, and all after it",
    "resign": "end the game, which you lose",
    "quit": "leave; the game has no result",
}
