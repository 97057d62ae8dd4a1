"""An engine's analysis of a position for front ends: cells, numbers on cells, sentences.

A front end asks ``hexgui-analyze_commands`` (GoGui: ``gogui-analyze_commands``) for lines
``type/label/command``. The types used here are ``string``, a text to show; ``plist``, cells to
mark; and ``pspairs``, cells each followed by what is to be written on it. ``%c`` is a color to be
chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.hex import BLACK, HexPosition, hex
from ludograph.games.hex.evaluation.circuit import CUT, Circuit, balance, circuits
from ludograph.games.hex.evaluation.distances import shortest_paths
from ludograph.games.hex.notation import letters
from ludograph.protocols.htp.framing import COLOR_NAMES
from ludograph.protocols.htp.table import HtpRefused, HtpTable
from ludograph.search.mcts import Result
from ludograph.search.proof import LOSS, WIN, Solution

if TYPE_CHECKING:
    from ludograph.games.hex.solving import HexSolver

SOLVING_SECONDS = 10.0
"""A question to the solver that takes longer is refused."""

LEAST = 0.005
"""What is less is nothing: numbers have two digits."""

MENU = (
    ("string", "Who wins", "ludograph-winner %c"),
    ("plist", "Winning moves", "ludograph-winning_moves %c"),
    ("pspairs", "Winning openings", "ludograph-openings"),
    ("string", "Resistances", "ludograph-resistances"),
    ("pspairs", "Currents", "ludograph-currents %c"),
    ("plist", "Shortest paths", "ludograph-paths %c"),
    ("pspairs", "Visits of the last search", "ludograph-visits"),
    ("pspairs", "Values of the last search", "ludograph-values"),
    ("plist", "Legal moves", "all_legal_moves"),
)
"""Type, label and command of what can be asked."""


def menu() -> str:
    """Return what can be asked, a line each."""
    return "\n".join("/".join(line) for line in MENU)


def legal_moves(table: HtpTable) -> str:
    """Return all free cells, none when the game is over."""
    if table.winner() is not None:
        return ""
    return cells(table, sorted(table.plain(BLACK).legal_moves()))


def resistances(table: HtpTable) -> str:
    """Return how well the borders of each color hang together, less being better."""
    position = table.plain(BLACK)
    both = circuits(position.setup, position.state)
    ohms = [resistance(circuit) for circuit in both]
    lead = balance(*both)
    ahead = f"{COLOR_NAMES[lead < 0]} is ahead" if abs(lead) >= LEAST else "both are level"
    return f"black {ohms[0]}, white {ohms[1]}: {ahead}"


def resistance(circuit: Circuit) -> str:
    """Return the resistance of a circuit in words."""
    if math.isinf(circuit.conductance):
        return "joined"
    return f"{1 / circuit.conductance:.3g}" if circuit.conductance > CUT else "cut off"


def currents(table: HtpTable, color: int) -> str:
    """Return the part of a color's current that runs through each free cell."""
    position = table.plain(color)
    circuit = circuits(position.setup, position.state)[color]
    if not CUT < circuit.conductance < math.inf:
        return ""
    parts = circuit.currents / circuit.conductance
    free = sorted(position.legal_moves())
    return pairs(table, {v: f"{parts[v]:.2f}" for v in free if parts[v] >= LEAST})


def paths(table: HtpTable, color: int) -> str:
    """Return the free cells on shortest paths between a color's borders."""
    position = table.plain(color)
    return cells(table, sorted(shortest_paths(position.setup, position.state, color).vertices))


def visits(table: HtpTable, found: Result | None) -> str:
    """Return how often the last search tried each cell."""
    return pairs(table, {move: str(count) for move, count, _ in tried(table, found)})


def values(table: HtpTable, found: Result | None) -> str:
    """Return the part of the games that the last search won by each cell, or what is proven."""
    return pairs(table, {move: f"{value:.2f}" for move, _, value in tried(table, found)})


def tried(table: HtpTable, found: Result | None) -> Iterable[tuple[int, int, float]]:
    """Return the cells that a search tried with their visits and values.

    A value is the part of the games won, within what is proven: 0 where a move is proven to lose.
    """
    if found is None:
        raise HtpRefused("no search: only after a genmove of mcts")
    worth = np.clip(found.values, found.low, found.high)
    rows = zip(found.moves.tolist(), found.visits.tolist(), worth.tolist(), strict=True)
    return sorted(row for row in rows if row[1] and row[0] < table.fresh.board.n)


def winner(table: HtpTable, color: int) -> str:
    """Return who wins if a color moves next, and by which moves."""
    position = open_position(table, color)
    found = solved(position)
    seat = color if found.value == WIN else 1 - color
    return f"{COLOR_NAMES[seat]} wins: {cells(table, found.line)}"


def winning_moves(table: HtpTable, color: int) -> str:
    """Return all moves by which a color wins."""
    from ludograph.games.hex.solving import HexSolver

    position = open_position(table, color)
    try:
        solver = HexSolver(table.size, time=SOLVING_SECONDS)
    except InvalidInput as error:
        raise HtpRefused(str(error)) from None
    winning = []
    for move in sorted(position.legal_moves()):
        after = position.copy()
        after.play(move)
        if after.is_over or solved(after, solver).value == LOSS:
            winning.append(move)
    return cells(table, winning)


def openings(table: HtpTable) -> str:
    """Return ``W`` on the cells by which black wins from the empty board, else ``L``."""
    from ludograph.games.hex.solving import HexSolver, solve_openings

    try:
        found = solve_openings(HexSolver(table.size, time=SOLVING_SECONDS))
    except InvalidInput as error:
        raise HtpRefused(str(error)) from None
    return " ".join(
        f"{letters(column)}{row} {letter}"
        for row, text in enumerate(found.rows, 1)
        for column, letter in enumerate(text)
        if letter != "?"
    )


def solved(position: HexPosition, solver: HexSolver | None = None) -> Solution:
    """Return what the solver knows of a position; raise Refused if it takes too long."""
    from ludograph.games.hex.solving import solve_position

    try:
        found = solve_position(position, time=SOLVING_SECONDS, solver=solver)
    except InvalidInput as error:
        raise HtpRefused(str(error)) from None
    if found.value is None:
        raise HtpRefused(f"not solved within {SOLVING_SECONDS:g} s")
    return found


def open_position(table: HtpTable, color: int) -> HexPosition:
    """Return the position without the pie rule; raise Refused if the game is over."""
    if table.winner() is not None:
        raise HtpRefused("the game is over")
    return table.plain(color)


def cells(table: HtpTable, moves: Iterable[int]) -> str:
    """Return cells by name."""
    return " ".join(hex.move_text(table.fresh.setup, move) for move in moves)


def pairs(table: HtpTable, texts: dict[int, str]) -> str:
    """Return cells by name, each followed by its text."""
    return " ".join(f"{hex.move_text(table.fresh.setup, v)} {text}" for v, text in texts.items())
