"""A ladder as it is now, for all who can read its folder, while it runs or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludograph.arena.ladder.declaration import Ladder
from ludograph.arena.ladder.pairing import basis, next_pairings
from ludograph.arena.ladder.state import State, read_state
from ludograph.arena.ladder.table import LadderTable, ladder_table
from ludograph.arena.played import PlayedGame
from ludograph.arena.schedules import Pairing
from ludograph.arena.store import Store
from ludograph.arena.store.history import latest_games, next_start


class Now(NamedTuple):
    """What there is to tell of a ladder.

    Attributes
    ----------
    games
        The latest, on which ratings stand; players are labels.
    start
        The number of the next start.
    """

    state: State
    games: Sequence[PlayedGame]
    table: LadderTable
    start: int


def ladder_now(ladder: Ladder) -> Now:
    """Return a ladder as it is now.

    Raises
    ------
    InvalidInput
        If its files are not what was written.
    """
    folder, start = ladder.folder, 0
    state = read_state(folder)
    games: list[PlayedGame] = []
    if folder.store.exists() and state.number:
        with Store(folder.store, must_exist=True) as store:
            latest = latest_games(store, state.number, ladder.rated_games)
            games = [one.played for one in latest]
            start = next_start(store, state.number)
    anchors = [spec.text for spec in ladder.anchors]
    table = ladder_table(ladder.title, games, state, anchors, ladder.anchor_elo)
    return Now(state, games, table, start)


def schedule(ladder: Ladder, now: Now) -> list[Pairing]:
    """Return who would meet next if pairings were thought of now; players are labels."""
    active = sorted(one.label for one in now.state.active)
    used = basis(now.games, active).games
    return next_pairings(active, used, now.start, ladder.seats, ladder.first_games)
