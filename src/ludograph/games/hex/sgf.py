"""Games of Hex in the Smart Game Format, in the form of other Hex programs.

``(;FF[4]GM[11]SZ[11]PB[..]PW[..]RE[B+];B[a2];W[d8]...)``: ``GM[11]`` is Hex, and besides cells
there are the moves ``swap-pieces`` (the stone changes its color, its row becomes its column),
``swap-sides`` (the stone stays, the players change colors), ``resign`` and ``forfeit``:
https://www.red-bean.com/sgf/hex.html. Two dialects are read, too:

- Files of the Computer Olympiads: ``swap-pieces`` or ``swap`` where the same color moves again. The
  stone stays, so this is ``swap-sides``.
- Files of LittleGolem: no ``GM``, cells of two letters (``mf`` is m6), ``swap``, and ``W`` for the
  moves of the first player, who is called ``PB`` and connects top and bottom.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.formatting import one_line
from ludograph.games.hex.notation import letters, number_of
from ludograph.games.hex.position import HexPosition
from ludograph.games.interop import FileFormat, ForeignGame
from ludograph.games.registry import game as game_called

COLORS = ("B", "W")
SWAP_PIECES, SWAP_SIDES, RESIGN, FORFEIT = "swap-pieces", "swap-sides", "resign", "forfeit"
SWAPS = (SWAP_PIECES, SWAP_SIDES, "swap")
USUAL = "11"
"""The size of a board without ``SZ``."""
LARGEST = 999
"""The most columns of a board, borders not counted."""

_CELL = re.compile(r"([a-z]{1,3})([1-9][0-9]{0,2})")
_LETTERS = re.compile(r"([a-z])([a-z])")
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")

HexGame = ForeignGame[HexPosition]


class HexSgf(FileFormat):
    """The format for files: in any encoding that SGF names, written in UTF-8."""

    def read(self, content: bytes, source: str) -> HexGame:
        """Return the first game of a file."""
        text, remark = text_of(content, source)
        game = read_sgf(text, source)
        if remark:
            game.remarks.insert(0, remark)
        return game

    def write(self, game: ForeignGame[Any]) -> str:
        """Return a game with the swap that leaves the players their colors."""
        start = game.start
        if not isinstance(start, HexPosition) or start.is_variant:
            raise InvalidInput(f"only games of hex can be written as SGF, not of {start.game.name}")
        return write_sgf(game)


def write_sgf(game: HexGame) -> str:
    """Return a game as a text, with ``swap-pieces``: most programs know it.

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
    nodes, swapped = [], False
    end = start.copy()
    for ply, move in enumerate(game.moves):
        end.play(move)
        cell = SWAP_PIECES
        if move != start.swap:
            row, column = start.place(move)
            cell = cell_name(row, column) if swapped else cell_name(column, row)
        nodes.append(f";{COLORS[ply % 2]}[{cell}]")
        swapped = swapped or move == start.swap
    if game.left is not None and not end.is_over:
        nodes.append(f";{COLORS[game.left]}[{game.how or FORFEIT}]")
    result = _result(game, end) or game.result
    black, white = game.names or ("", "")
    properties = {
        "FF": "4",
        "CA": "UTF-8",
        "GM": "11",
        "AP": "Ludograph",
        "SZ": str(start.size),
        "PB": black,
        "PW": white,
        "RE": result,
    }
    head = "".join(f"{key}[{escaped(text)}]" for key, text in properties.items() if text)
    return f"(;{head}{''.join(nodes)})\n"


def read_sgf(text: str, source: str = "sgf") -> HexGame:
    """Read the main line of a game; every move of it is legal then.

    Raises
    ------
    InvalidInput
        With the source and the fault.
    """
    try:
        return _game(*nodes_of(text))
    except (InvalidInput, IllegalMove) as error:
        raise InvalidInput(f"{source}: {error}") from None


def cell_name(column: int, row: int) -> str:
    """Return the name of a cell, such as ``c5``; columns and rows are counted from 0."""
    return f"{letters(column)}{row + 1}"


def cell_of(name: str) -> tuple[int, int] | None:
    """Return the column and the row of a cell; None if it is no name of a cell."""
    found = _CELL.fullmatch(name)
    return (number_of(found[1]), int(found[2]) - 1) if found else None


def letters_of(name: str) -> tuple[int, int] | None:
    """Return the column and the row of a cell in two letters, such as ``mf``; None for others."""
    found = _LETTERS.fullmatch(name)
    return (number_of(found[1]), number_of(found[2])) if found else None


def _result(game: HexGame, end: HexPosition) -> str:
    """Return the value of RE; an empty text for a game that has not ended."""
    outcome = end.outcome()
    if outcome is not None and outcome.winner is not None:
        return f"{COLORS[outcome.winner]}+"
    if game.left is not None:
        return f"{COLORS[1 - game.left]}+{(game.how or FORFEIT).capitalize()}"
    return ""


def _first(node: dict[str, list[str]], key: str) -> str:
    return (node.get(key) or [""])[0].strip()


def _game(nodes: Nodes, more: int) -> HexGame:
    root = nodes[0] if nodes else {}
    kind = _first(root, "GM")
    if kind != "11" and (kind or not _is_from_littlegolem(root)):
        raise InvalidInput(f"GM[{kind[:10]}] is not Hex, which is GM[11]")
    size = _size(_first(root, "SZ") if "SZ" in root else USUAL)
    names = (_first(root, "PB"), _first(root, "PW"))
    game = HexGame(game_called("hex").position(size), names=names, result=_first(root, "RE"))
    if more:
        game.remarks.append(f"the file has {more + 1} games, and only the first one is read")
    moves = [
        (number, key, value.strip())
        for number, node in enumerate(nodes)
        for key in ("PL", *COLORS)
        for value in node.get(key, ())
    ]
    played = [(key, value.lower()) for _, key, value in moves if key != "PL"]
    first, cell = played[0] if played else ("B", "")
    reader = _Reader(game, size, flipped=first == "W" and letters_of(cell) is not None)
    for number, node in enumerate(nodes):
        if {"AB", "AW", "AE"} & set(node):
            raise InvalidInput(f"node {number}: stones that were not played (AB, AW, AE)")
    place = 0
    for number, key, value in moves:
        try:
            if key == "PL":
                reader.check_turn(value)
                continue
            _, move = played[place]
            place += 1
            after = played[place : place + 1]
            same = any(again == key and end not in (RESIGN, FORFEIT) for again, end in after)
            reader.take(COLORS.index(key), move, again=same)
        except (InvalidInput, IllegalMove) as error:
            raise InvalidInput(f"node {number}, {key}[{value[:20]}]: {error}") from None
    return game


def _is_from_littlegolem(root: dict[str, list[str]]) -> bool:
    """Tell whether a game without ``GM`` is one of Hex by its tournament, or else by its place."""
    event = _first(root, "EV").lower()
    if event in ("", "null"):
        return "littlegolem" in _first(root, "SO").lower()
    return event.startswith("hex")


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text)
    size = int(found[1]) if found else 0
    if found is None or not 1 <= size <= LARGEST:
        raise InvalidInput(f"SZ[{text[:20]}] is not a size of a board")
    if found[2] is not None and int(found[2]) != size:
        raise InvalidInput(f"SZ[{text[:20]}]: a board here has as many columns as rows")
    return size


class _Reader:
    """Plays the moves of a file on a board, with the coordinates before ``swap-pieces``.

    Parameters
    ----------
    flipped
        Whether ``W`` is seat 0 at first, as in files of LittleGolem.
    """

    def __init__(self, game: HexGame, size: int, *, flipped: bool) -> None:
        self.game, self.size, self.flipped = game, size, flipped
        self.position = game.start.copy()
        self.mirrored = False

    def check_turn(self, color: str) -> None:
        """Raise InvalidInput unless a color is to move anyway."""
        turn = self.position.turn
        if turn is not None and color[:1].upper() != COLORS[turn ^ self.flipped]:
            raise InvalidInput(f"it is {COLORS[turn ^ self.flipped]}'s turn, as B begins")

    def take(self, color: int, value: str, *, again: bool) -> None:
        """Read a move of a color; ``again`` if the same color makes the next one, too."""
        position, game = self.position, self.game
        if game.left is not None:
            raise InvalidInput(f"a move after {game.how}")
        seat = color ^ self.flipped
        if value in (RESIGN, FORFEIT):
            if position.is_over:
                what = f"{COLORS[color]}[{value}]"
                game.remarks.append(f"{what} after the end of the game is left out")
            else:
                game.left, game.how = seat, value
            return
        if position.turn is not None and seat != position.turn:
            raise InvalidInput(f"it is {COLORS[position.turn ^ self.flipped]}'s turn")
        if value in SWAPS:
            self.play(position.swap)
            if again or value == SWAP_SIDES:
                self.flipped = not self.flipped
            else:
                self.mirrored = True
            return
        self.play(self.vertex(value))

    def vertex(self, value: str) -> int:
        """Return the vertex of a cell."""
        column, row = cell_of(value) or letters_of(value) or (self.size, 0)
        if column >= self.size or row >= self.size:
            raise InvalidInput(f"no cell of a board of {self.size} x {self.size}")
        if self.mirrored:
            row, column = column, row
        return self.position.vertex(row, column)

    def play(self, move: int) -> None:
        """Play a move and store it."""
        self.position.play(move)
        self.game.moves.append(move)


Nodes = list[dict[str, list[str]]]
"""The nodes of a game; each has the values of its properties by their names."""

CHARSET = re.compile(rb";|(\bCA\s*)?\[((?:[^\]\\]|\\.)*)", re.DOTALL)
"""The beginning of a node; or a value, in which there may be others, perhaps of ``CA``."""

ASCII = bytes(n for n in range(32, 127) if n != ord("\\")) + rb"\x41 \u0041 +AEE-"
"""A text that an encoding must leave as it is: it encodes texts, and has no escapes."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)
_BRACKETS = re.compile(r"\((?:\s*;)?|\)|\[(?:[^\]\\]|\\.)*\]", re.DOTALL)


def text_of(raw: bytes, source: str) -> tuple[str, str]:
    """Return the text of a file in the encoding that ``CA`` names, else in UTF-8, else in Latin-1.

    Returns
    -------
    text
        The text.
    remark
        A sentence if ``CA`` names no encoding that is known here; else empty.

    Raises
    ------
    InvalidInput
        If ASCII means something else in the encoding, or it has escapes.
    """
    name = charset(raw)
    remark = ""
    if name:
        try:
            codecs.lookup(name)
        except (LookupError, ValueError):  # a ValueError is a name with a zero byte
            remark = f"the encoding CA[{one_line(name)}] is unknown"
    if name and not remark:
        try:
            usual = ASCII.decode(name, "replace") == ASCII.decode("ascii")
        except (LookupError, ValueError):  # it does not encode texts, or only some
            usual = False
        if not usual:
            raise InvalidInput(f"{source}: CA[{one_line(name)}] cannot be read: save it as UTF-8")
        return raw.decode(name, "replace"), ""
    try:
        return raw.decode(), remark
    except UnicodeDecodeError:
        return raw.decode("latin-1"), remark


def charset(raw: bytes) -> str:
    """Return the value of ``CA`` in the first node; empty if it has none."""
    nodes = 0
    for found in CHARSET.finditer(raw):
        nodes += found[0] == b";"
        if nodes > 1:
            break
        if found[1] is not None:
            return found[2].decode("latin-1").strip()
    return ""


def nodes_of(text: str) -> tuple[Nodes, int]:
    """Return the nodes of the first game's main line, and the number of games that follow."""
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
        elif sign == ")":  # the main line is the first one, and it ends here
            return nodes, _games(text, at, depth - 1)
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


def _games(text: str, at: int, depth: int) -> int:
    """Return the number of games that begin behind a place at which brackets are open."""
    found = 0
    for bracket in _BRACKETS.finditer(text, at):
        found += depth == 0 and ";" in bracket[0] and bracket[0][0] == "("
        depth += {"(": 1, ")": -1}.get(bracket[0][0], 0)
    return found


def escaped(text: str) -> str:
    """Return a value with the signs that would end it escaped."""
    return text.replace("\\", "\\\\").replace("]", "\\]")
