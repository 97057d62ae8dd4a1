"""The words that a person types: a move, an unambiguous part of one, or a request."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ludograph.errors import IllegalMove
from ludograph.games import Position
from ludograph.games.interaction import in_words, task
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.human.player import Quit, TakeBack, Turn

MOVES = "moves"
"""What is typed for a list of the legal moves."""

LISTED = 60
"""Legal moves that a refusal or a list on one screen names."""


def understand(
    turn: Turn, text: str, refusal: Callable[[Position, int], str] = Position.why_not
) -> int | list[str]:
    """Return the legal move that a text means, or else lines to tell.

    Beside a move as the game writes it, that is its number in the list of ``moves``, as ``#3``; the
    beginning of a word, if one legal move begins so; a symbol on the board, if one legal move is
    chosen by such cells.

    Parameters
    ----------
    refusal
        Says why a move is not legal.

    Raises
    ------
    PlayerFault
        With the reason ``resign``.
    TakeBack, Quit
        If the text wishes that.
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
    """Tell whether a text is a wish rather than a move."""
    return text.strip().lower() in WISHES


def meant(turn: Turn, text: str) -> list[int]:
    """Return the legal moves that a text may mean that is no move as the game writes it."""
    if text.startswith("#") and text[1:].isdecimal():
        number = int(text[1:])
        return list(turn.moves.values())[number - 1 : number] if number else []
    if text.isalpha():
        word = text.lower()
        begun = [code for move, code in turn.moves.items() if move.lower().startswith(word)]
        if begun:
            return begun
    return by_symbol(turn, text) if len(text) == 1 else []


def begun_by(position: Position, text: str) -> int | None:
    """Return the one code whose word begins so, among the lowest codes, legal now or not."""
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
    """Return how moves are written in this game, and what else can be typed."""
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
    """Return the legal moves with the numbers by which they can be chosen, and what they do.

    What a move does is said where its text does not say it, as for a meeple on a road.
    """
    moves = enumerate(turn.moves.values(), 1)
    return [f"#{number} {in_words(turn.position, move)}" for number, move in moves]


def moves_lines(turn: Turn) -> list[str]:
    """Return the legal moves in columns, as a terminal shows them."""
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
"""What can be typed beside moves."""

SUMMARIES = {
    "?": "this",
    MOVES: "all legal moves; #3 plays the third of them",
    "hint": "what a search of one second would play",
    "undo": "take your last move back, and all after it",
    "resign": "give the game up",
    "quit": "leave; the game has no result",
}
