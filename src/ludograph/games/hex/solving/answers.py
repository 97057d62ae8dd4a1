"""What ``ludograph solve hex`` tells: the map of winning openings, or who wins a game under way."""

from __future__ import annotations

from ludograph.errors import InvalidInput
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.solving.openings import OpeningMap, solve_openings
from ludograph.games.hex.solving.solver import HexSolver
from ludograph.games.hex.solving.variation import solve_position
from ludograph.games.solution import UNKNOWN, Progress, Solution, nobody
from ludograph.games.solving import sentence


def openings(position: HexPosition, seconds: float, progress: Progress = nobody) -> Solution:
    """Tell for each first move of black whether it wins, without the pie rule.

    Raises
    ------
    InvalidInput
        If the board is not the usual one, or too large.
    """
    if not position.is_standard:
        raise InvalidInput("hex: only the usual board of hexagonal cells can be solved")
    found = solve_openings(HexSolver(position.size, time=seconds), progress)
    data = {"size": position.size, "map": list(found.rows), "complete": found.complete}
    verdict = "win" if any("W" in row for row in found.rows) else "loss"
    return Solution(
        picture(found),
        verdict if found.complete else UNKNOWN,
        (),
        found.nodes,
        found.seconds,
        data,
    )


def picture(found: OpeningMap) -> str:
    """Return the map as the board lies: each row half a cell further to the right."""
    columns = " ".join(chr(ord("a") + column) for column in range(len(found.rows)))
    lines = [f"  {columns}"]
    for row, letters in enumerate(found.rows):
        lines.append(f"{' ' * row}{row + 1} {' '.join(letters)}")
    return "\n".join(lines)


def winner(position: HexPosition, seconds: float) -> Solution:
    """Tell who wins a game under way."""
    found = solve_position(position, time=seconds)
    if found.verdict == UNKNOWN:
        text = f"Nothing is proven after {seconds:g} s; --time gives more."
        return Solution(text, UNKNOWN, (), found.nodes, found.seconds)
    text = f"{sentence(position, found.verdict)}."
    return Solution(text, found.verdict, found.line, found.nodes, found.seconds)
