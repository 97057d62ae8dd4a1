"""Results of searches with the names of moves: as a text, and for notebooks as board and table."""

from __future__ import annotations

import dataclasses
from html import escape
from typing import TYPE_CHECKING

import msgspec

from ludograph.games.analysis_info import AnalysisInfo, overlays_of, sentence
from ludograph.games.analysis_info_validation import MOST_PLIES, validated
from ludograph.games.from_search import WIN, from_alphabeta, from_monte_carlo
from ludograph.games.pictures import titled
from ludograph.games.solution import Solution
from ludograph.search.alphabeta import AlphaBetaResult
from ludograph.search.mcts import MonteCarloResult
from ludograph.search.proof import ProofResult
from ludograph.views import svg
from ludograph.views.table import Column, Table, left

if TYPE_CHECKING:
    from ludograph.games.played import PlayedPosition

SearchResult = AlphaBetaResult | MonteCarloResult | ProofResult | Solution

WIDTH = 400
"""The width of the board in pixels."""

ROWS = 12
"""The most moves in the table."""


def info_of(result: SearchResult, position: PlayedPosition) -> AnalysisInfo:
    """Return a result as analysis info, with the names of moves."""
    if isinstance(result, MonteCarloResult):
        info = from_monte_carlo(result, (), position.seats)
    elif isinstance(result, AlphaBetaResult):  # how a win counts in its value is not known here
        info = msgspec.structs.replace(from_alphabeta(result), measure="")
    elif isinstance(result, Solution):
        info = AnalysisInfo(nodes=result.nodes, line=result.line[:MOST_PLIES], note=result.text)
    else:
        proven = result.value is not None
        info = AnalysisInfo(
            value=(1 + result.value) / 2 if result.value is not None else None,
            measure=WIN,
            proven=proven,
            nodes=result.nodes,
            line=result.line[:MOST_PLIES],
            note="" if proven else "nothing is proven",
        )
    return validated(info, position)


def text(result: SearchResult, position: PlayedPosition) -> str:
    """Return a result as a line of text."""
    return sentence(info_of(result, position)).removeprefix("thinks: ")


def html(result: SearchResult, position: PlayedPosition) -> str:
    """Return the board with visits and line, and below it the moves or the text of a result."""
    info = info_of(result, position)
    overlays = tuple(overlays_of(info, position).values())
    board = svg.render(dataclasses.replace(titled(position), overlays=overlays), size=WIDTH)
    columns = [left("move"), Column("visits"), Column("value", "{:z.3g}".format), left("")]
    rows = [
        [each.move, each.visits, each.value, "proven" if each.proven else ""]
        for each in info.moves[:ROWS]
    ]
    said = str(result)
    return f"{board}\n{Table(columns, rows).html(said) if rows else f'<pre>{escape(said)}</pre>'}"
