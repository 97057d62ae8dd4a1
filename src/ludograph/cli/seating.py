"""How a match is shown, and how the people in it are asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludograph.cli.showing import PlainShow, Show, choose_show

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.players import PlayerSpec
    from ludograph.players.human import Front


def choose_table(
    position: Position, players: Sequence[PlayerSpec], delay: float | None, *, shown: bool
) -> tuple[Show, Front | None]:
    """Return how to show a game, and how to ask the people who play it, if there are any.

    Where a terminal can draw the board, it is played on; elsewhere moves are lines of text.
    """
    people = any(player.kind == "human" for player in players)
    if not people:
        return (choose_show(position, delay) if shown else Show()), None
    from ludograph.players.human.lines import Lines

    if not shown:
        return Show(), Lines(board=False)
    if sys.stdin is None or not sys.stdin.isatty():
        return PlainShow(delay or 0.0), Lines(board=False)
    return choose_show(position, delay), Lines(board=False)
