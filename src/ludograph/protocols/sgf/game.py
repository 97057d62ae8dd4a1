"""Games of Hex in the Smart Game Format, in the form of other Hex programs.

``(;FF[4]GM[11]SZ[11]PB[..]PW[..]RE[B+];B[a2];W[d8]...)``: ``GM[11]`` is Hex, and besides cells
there are the moves ``swap-pieces`` (the stone changes its color, its row becomes its column),
``swap-sides`` (the stone stays, the players change colors), ``resign`` and ``forfeit``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games.hex import HexPosition, hex
from ludograph.games.hex.notation import letters, number_of

COLORS = ("B", "W")
SWAP_PIECES, SWAP_SIDES, RESIGN, FORFEIT = "swap-pieces", "swap-sides", "resign", "forfeit"
LARGEST = 999
"""The most columns of a board, borders not counted."""

_CELL = re.compile(r"([a-z]{1,3})([1-9][0-9]{0,2})")
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")

Nodes = list[dict[str, list[str]]]


@dataclass(slots=True)
class SgfGame:
    """A game of Hex.

    Attributes
    ----------
    start
        The position before the first move.
    moves
        The codes of the moves.
    names
        The players by seat; seat 0 begins, and is black until a swap.
    left
        The seat that has resigned or forfeited, if one has.
    how
        ``resign`` or ``forfeit`` then.
    result
        The result in the file, such as ``B+``.
    """

    start: HexPosition
    moves: list[int] = field(default_factory=list)
    names: tuple[str, str] = ("", "")
    left: int | None = None
    how: str = ""
    result: str = ""


def write_sgf(game: SgfGame, *, swap: str = SWAP_PIECES) -> str:
    """Return a game as a text.

    Parameters
    ----------
    swap
        The form of a swap: ``swap-pieces``, which most programs know and which leaves the players
        their colors, or ``swap-sides``.

    Raises
    ------
    InvalidInput
        If the game is not played on the usual board.
    """
    start = game.start
    if not start.is_standard:
        raise InvalidInput(
            f"hex: SGF is for boards of hexagonal cells, this is {start.board.name!r}"
        )
    nodes, turn, swapped = [], 0, False
    for move in game.moves:
        cell = SWAP_PIECES if swap == SWAP_PIECES else SWAP_SIDES
        if move != start.swap:
            row, column = start.place(move)
            mirrored = swapped and swap == SWAP_PIECES
            cell = cell_name(row, column) if mirrored else cell_name(column, row)
        nodes.append(f";{COLORS[turn]}[{cell}]")
        swapped = swapped or move == start.swap
        # After swap-sides the same color moves again, although it is the other player.
        turn = turn if move == start.swap and swap == SWAP_SIDES else 1 - turn
    sides = swapped and swap == SWAP_SIDES
    if game.left is not None:
        nodes.append(f";{COLORS[game.left ^ sides]}[{game.how or FORFEIT}]")
    result = game.result or _result(game, sides)
    properties = {
        "FF": "4",
        "GM": "11",
        "AP": "Ludograph",
        "SZ": str(start.size),
        "PB": game.names[0],
        "PW": game.names[1],
        "RE": result,
    }
    head = "".join(f"{key}[{_escaped(text)}]" for key, text in properties.items() if text)
    return f"(;{head}{''.join(nodes)})\n"


def read_sgf(text: str, source: str = "sgf") -> SgfGame:
    """Read the main line of a game; every move of it is legal then.

    Raises
    ------
    InvalidInput
        With the source and the fault.
    """
    try:
        return _game(_nodes(text))
    except (InvalidInput, IllegalMove) as error:
        raise InvalidInput(f"{source}: {error}") from None


def cell_name(column: int, row: int) -> str:
    """Return the name of a cell, such as ``c5``; columns and rows are counted from 0."""
    return f"{letters(column)}{row + 1}"


def cell_of(name: str) -> tuple[int, int] | None:
    """Return the column and the row of a cell; None if it is no name of a cell."""
    found = _CELL.fullmatch(name)
    return (number_of(found[1]), int(found[2]) - 1) if found else None


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _result(game: SgfGame, sides: bool) -> str:
    """Return the value of RE; an empty text for a game that has not ended."""
    position = game.start.copy()
    for move in game.moves:
        position.play(move)
    outcome = position.outcome()
    if game.left is not None:
        return f"{COLORS[(1 - game.left) ^ sides]}+{(game.how or FORFEIT).capitalize()}"
    if outcome is None or outcome.winner is None:
        return ""
    return f"{COLORS[outcome.winner ^ sides]}+"


def _nodes(text: str) -> Nodes:
    """Return the properties of the nodes of the first game's main line."""
    nodes: Nodes = []
    at, depth, key = 0, 0, ""
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            if not text[at:].strip():
                break
            raise InvalidInput(f"this is no SGF at {text[at : at + 20].strip()!r}")
        at = found.end()
        sign, name, value = found.groups()
        if sign == "(":
            depth += 1
        elif sign == ")":
            return nodes  # the main line is the first one, and it ends here
        elif depth == 0:
            raise InvalidInput("a game begins with '('")
        elif sign == ";":
            nodes.append({})
            key = ""
        elif not nodes:
            raise InvalidInput("a node begins with ';'")
        elif name is not None:
            key = "".join(letter for letter in name if letter.isupper())
            nodes[-1].setdefault(key, [])
        elif not key:
            raise InvalidInput(f"the value {value[:20]!r} belongs to no property")
        else:
            nodes[-1][key].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))
    raise InvalidInput("the game does not end with ')'" if nodes else "there is no game in it")


def _first(node: dict[str, list[str]], key: str) -> str:
    return (node.get(key) or [""])[0].strip()


def _game(nodes: Nodes) -> SgfGame:
    root = nodes[0] if nodes else {}
    if _first(root, "GM") != "11":
        raise InvalidInput(f"GM[{_first(root, 'GM')[:10]}] is not Hex, which is GM[11]")
    size = _size(_first(root, "SZ"))
    names = (_first(root, "PB"), _first(root, "PW"))
    game = SgfGame(hex.position(size), names=names, result=_first(root, "RE"))
    reader = _Reader(game, size)
    for number, node in enumerate(nodes):
        if {"AB", "AW", "AE"} & set(node):
            raise InvalidInput(f"node {number}: stones that were not played (AB, AW, AE)")
        for color, key in enumerate(COLORS):
            for value in node.get(key, ()):
                try:
                    reader.take(color, value.strip().lower())
                except (InvalidInput, IllegalMove) as error:
                    raise InvalidInput(f"node {number}, {key}[{value[:20]}]: {error}") from None
    return game


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text)
    size = int(found[1]) if found else 0
    if found is None or not 1 <= size <= LARGEST:
        raise InvalidInput(f"SZ[{text[:20]}] is not a size of a board")
    if found[2] is not None and int(found[2]) != size:
        raise InvalidInput(f"SZ[{text[:20]}]: a board here has as many columns as rows")
    return size


class _Reader:
    """Plays the moves of a file on a board, with the coordinates before ``swap-pieces``."""

    def __init__(self, game: SgfGame, size: int) -> None:
        self.game, self.size = game, size
        self.position = game.start.copy()
        self.mirrored = self.sides = False

    def take(self, color: int, value: str) -> None:
        """Read a move of a color."""
        position, game = self.position, self.game
        if game.left is not None:
            raise InvalidInput(f"a move after {game.how}")
        seat = color ^ self.sides
        if value in (RESIGN, FORFEIT):
            game.left, game.how = seat, value
            return
        if position.turn is not None and seat != position.turn:
            raise InvalidInput(f"it is {COLORS[position.turn ^ self.sides]}'s turn")
        if value in (SWAP_PIECES, SWAP_SIDES):
            self.play(position.swap)
            self.mirrored, self.sides = value == SWAP_PIECES, value == SWAP_SIDES
            return
        self.play(self.vertex(value))

    def vertex(self, value: str) -> int:
        """Return the vertex of a cell."""
        column, row = cell_of(value) or (self.size, 0)
        if column >= self.size or row >= self.size:
            raise InvalidInput(f"no cell of a board of {self.size} x {self.size}")
        if self.mirrored:
            row, column = column, row
        return self.position.vertex(row, column)

    def play(self, move: int) -> None:
        """Play a move and store it."""
        self.position.play(move)
        self.game.moves.append(move)
