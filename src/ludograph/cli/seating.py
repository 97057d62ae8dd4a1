"""How a match is shown, and how the people in it are asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludograph.cli import frames
from ludograph.cli.pacing import DELAY, Delay, pace_of
from ludograph.cli.showing import PlainShow, Show, choose_show, colored
from ludograph.cli.terminal.screen import Screen

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.players import PlayerSpec
    from ludograph.players.human import Front


def choose_table(
    position: Position,
    players: Sequence[PlayerSpec],
    delay: Delay,
    *,
    shown: bool,
    scroll: bool = False,
) -> tuple[Show, Front | None]:
    """Return how to show a game, and how to ask the people who play it, if there are any.

    Where a terminal can draw the board, it is played on; elsewhere moves are lines of text.
    ``scroll`` leaves room for other lines in between.
    """
    people = any(player.kind == "human" for player in players)
    if not people:
        return (choose_show(position, delay, scroll=scroll) if shown else Show()), None
    from ludograph.cli.table.table import Table
    from ludograph.players.human.lines import Lines

    if not shown:
        return Show(), Lines(board=False)
    if sys.stdin is None or not sys.stdin.isatty():
        return PlainShow(pace_of(delay, 0.0)), Lines(board=False)
    if draws(position) and not scroll:
        table = Table(pace_of(delay, DELAY), colored())
        return table, table
    return choose_show(position, delay, scroll=scroll), Lines(board=False)


def draws(position: Position) -> bool:
    """Tell whether the terminal can draw the board with what stands below it, in place."""
    from ludograph.cli.table.table import BELOW

    columns, lines = Screen.size()
    dumb = os.environ.get("TERM") == "dumb" or not sys.stdout.isatty()
    return not dumb and frames.fits(position, columns, lines - BELOW)
