"""An engine's analysis of a position for front ends: cells, numbers on cells, sentences.

A front end calls ``hexgui-analyze_commands`` (GoGui: ``gogui-analyze_commands``) for lines
``type/label/command``. The types used here are ``string``, a text to show; ``plist``, cells to
mark; and ``pspairs``, cells each followed by the text to write on it. ``%c`` is a color to choose.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import WIN as WIN_RATE
from ludograph.games.from_search import is_proven, value_of
from ludograph.games.hex.engine.table import HtpTable
from ludograph.games.hex.evaluation.circuit import CUT, Circuit, balance, circuits
from ludograph.games.hex.evaluation.distances import shortest_paths
from ludograph.games.hex.layouts import COLOR_NAMES
from ludograph.games.hex.notation import letters, move_text
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK
from ludograph.games.interop import Refused
from ludograph.search.mcts import MonteCarloResult
from ludograph.search.pacing import deadline_after
from ludograph.search.proof import LOSS, WIN, ProofResult

if TYPE_CHECKING:
    from ludograph.games.hex.solving import HexSolver

SOLVING_SECONDS = 10.0
"""Seconds of processor time: a question to the solver that takes longer is refused."""

LEAST = 0.005
"""Smaller numbers count as 0: numbers have two digits."""

DIGITS = 3
"""The digits of a value; 0 and 1 are only written if they are proven."""

MENU = (
    ("string", "Value", "ludograph-value %c"),
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
"""Type, label and command of each kind of analysis."""


def menu() -> str:
    """Return the kinds of analysis, a line each."""
    return "\n".join("/".join(line) for line in MENU)


def legal_moves(table: HtpTable) -> str:
    """Return all free cells, none when the game is over."""
    if table.winner() is not None:
        return ""
    return cells(table, sorted(table.plain(BLACK).legal_moves()))


def resistances(table: HtpTable) -> str:
    """Return the resistance between the borders of each color, less being better."""
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


def showboard(table: HtpTable) -> str:
    """Return the board with letters above its columns and numbers before its rows."""
    rows = str(table.position()).split("\n")
    names = [letters(column) for column in range(table.size)]
    deepest = max(map(len, names))
    margin = len(str(table.size)) + 1
    above = [
        "".join(name.rjust(deepest)[line].rjust(2) for name in names) for line in range(deepest)
    ]
    beside = ["", *(str(row) for row in range(1, table.size + 1)), ""]
    below = [
        " " * row + number.rjust(margin) + " " + text[row:]
        for row, (number, text) in enumerate(zip(beside, rows, strict=True))
    ]
    return "\n".join(["", *(" " * (margin + 1) + line for line in above), *below])


def value(info: AnalysisInfo | None) -> str:
    """Return the value of a position for the color to move, from 0 to 1, and whether it is proven.

    Parameters
    ----------
    info
        The player's analysis of its choice.
    """
    if info is None or info.value is None or info.measure != WIN_RATE:
        raise Refused("no value: the strategy does not search, or had no choice")
    return f"{info.value:zg} proven" if info.proven else number(info.value, DIGITS)


def number(value: float, digits: int) -> str:
    """Return the text of an unproven value, which is never written as 0 or as 1."""
    least = 10.0**-digits
    return f"{min(max(value, least), 1.0 - least):.{digits}f}"


def visits(table: HtpTable, found: MonteCarloResult | None) -> str:
    """Return the visits of each cell in the last search, its move first."""
    return pairs(table, {move: str(count) for move, count, _ in considered(table, found)})


def values(table: HtpTable, found: MonteCarloResult | None) -> str:
    """Return the share of won simulations of each cell in the last search, or its proven result."""
    return pairs(table, {move: text for move, _, text in considered(table, found) if text})


def considered(table: HtpTable, found: MonteCarloResult | None) -> Iterable[tuple[int, int, str]]:
    """Return all free cells with their visits and values: the chosen move first, then by visits.

    A value is the share of won simulations, within proven bounds, or "" if unknown.
    """
    if found is None:
        raise Refused("no search: only after a move of mcts that was searched for")
    order = sorted(
        range(found.moves.size),
        key=lambda place: (found.moves[place] != found.move, -found.visits[place]),
    )
    for place in order:
        move, value = int(found.moves[place]), value_of(found, place)
        if move < table.fresh.board.n:
            text = ""
            if is_proven(found, place):
                text = f"{value:.2f}"
            elif value is not None:
                text = number(value, 2)
            yield move, int(found.visits[place]), text


def winner(table: HtpTable, color: int, limit: float) -> str:
    """Return the winner if a color moves next, and the winning moves as far as time allows.

    Refuse if the winner is not known after ``limit`` seconds of processor time.
    """
    position = open_position(table, color)
    found = solved(position, solver_of(table), limit)
    seat = color if found.value == WIN else 1 - color
    line = f": {cells(table, found.line)}" if found.line else ""
    return f"{COLOR_NAMES[seat]} wins{line}"


def winning_moves(table: HtpTable, color: int, limit: float) -> str:
    """Return all moves by which a color wins; refuse after seconds of processor time."""
    position = open_position(table, color)
    solver = solver_of(table)
    end = time.thread_time() + limit
    winning = []
    for move in sorted(position.legal_moves()):
        after = position.copy()
        after.play(move)
        left = end - time.thread_time()
        if after.is_over or solved(after, solver, left, limit).value == LOSS:
            winning.append(move)
    return cells(table, winning)


def openings(table: HtpTable) -> str:
    """Return ``W`` on the cells by which black wins from the empty board, else ``L``."""
    from ludograph.games.hex.solving import HexSolver, solve_openings

    try:
        found = solve_openings(HexSolver(table.size, time=SOLVING_SECONDS))
    except InvalidInput as error:
        raise Refused(str(error)) from None
    return " ".join(
        f"{letters(column)}{row} {letter}"
        for row, text in enumerate(found.rows, 1)
        for column, letter in enumerate(text)
        if letter != "?"
    )


def solver_of(table: HtpTable) -> HexSolver:
    """Return a solver for a board; raise Refused if there is none."""
    from ludograph.games.hex.solving import HexSolver

    try:
        return HexSolver(table.size)
    except InvalidInput as error:
        raise Refused(str(error)) from None


def solved(
    position: HexPosition, solver: HexSolver, left: float, limit: float | None = None
) -> ProofResult:
    """Return the solver's result for a position; raise Refused if it takes too long.

    Parameters
    ----------
    left
        Seconds of this thread's processor time. The solver uses wall-clock time: if other processes
        used the processor it is called again, and continues with its table.
    limit
        The seconds in the text of a refusal, if different.
    """
    from ludograph.games.hex.solving import solve_position

    end = time.thread_time() + left
    while (rest := end - time.thread_time()) > 0:
        solver.deadline = deadline_after(rest)
        found = solve_position(position, solver=solver)
        if found.value is not None:
            return found
    raise Refused(f"not solved within {left if limit is None else limit:g} s")


def open_position(table: HtpTable, color: int) -> HexPosition:
    """Return the position without the pie rule; raise Refused if the game is over."""
    if table.winner() is not None:
        raise Refused("the game is over")
    return table.plain(color)


def cells(table: HtpTable, moves: Iterable[int]) -> str:
    """Return cells by name."""
    return " ".join(move_text(table.fresh.setup, move) for move in moves)


def pairs(table: HtpTable, texts: dict[int, str]) -> str:
    """Return cells by name, each followed by its text."""
    return " ".join(f"{move_text(table.fresh.setup, v)} {text}" for v, text in texts.items())
