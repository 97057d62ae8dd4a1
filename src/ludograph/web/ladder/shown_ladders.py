"""The pages' data of ladders, computed by processes with the ladders' games in memory."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.ladder import Ladder, State
from ludograph.arena.ladder.folder import PROGRAM, parted
from ludograph.arena.ladder.ladder import kept_store
from ludograph.arena.ladder.reasons import Reasons, reasons_of
from ludograph.arena.ladder.table import LadderTable, ladder_now, schedule
from ludograph.arena.results import Results
from ludograph.arena.store import Store
from ludograph.arena.store.history import (
    GameWindow,
    VersionGames,
    games_of,
    names_there,
    records_there,
    versions_of,
)
from ludograph.arena.tables import CrossTable, cross_table
from ludograph.errors import NotFound
from ludograph.referee.public_record import fault_of

MOST = 4
"""The most ladders whose games a process has in memory."""

LATEST = 30
"""The most listed games of a player."""

FAULTS = 10
"""The most games of a player that are listed with their faults."""


class ShownLadder(NamedTuple):
    """A ladder's data for pages at one time.

    Attributes
    ----------
    meetings
        The results of players against each other, by their names, over all their versions.
    next
        The names of the players of each next table; none while the ladder waits for players.
    """

    state: State
    table: LadderTable
    meetings: CrossTable
    next: list[tuple[str, ...]]


@dataclass
class KeptLadder:
    """The games of a ladder, and its data for pages at the last update."""

    window: GameWindow
    games: Results | None = None
    seen: Any = None
    shown: ShownLadder | None = field(default=None, repr=False)


@lru_cache(MOST)
def kept_ladder(_path: str, rated_games: int) -> KeptLadder:
    """Return the games of a ladder in the memory of this process."""
    return KeptLadder(GameWindow(rated_games))


def shown_ladder(ladder: Ladder, key: str | None = None) -> ShownLadder:
    """Return the present data of a ladder; only games that are new to this process are read.

    Parameters
    ----------
    key
        The key of the ladder, for a process in which no game can begin; None: it is computed.

    Raises
    ------
    InvalidInput
        If its files are not what was written.
    """
    kept = kept_ladder(str(ladder.folder.path), ladder.rated_games)
    now = ladder_now(ladder, key, kept.window)
    seen = [now.state, now.start, now.title, now.remark]
    seen += [ladder.anchors, ladder.anchor_elo, ladder.seats, ladder.first_games]
    if kept.shown is None or kept.games is not now.games or kept.seen != seen:
        meetings = cross_table(now.games.renamed(lambda label: parted(label)[0]))
        pairings = [] if now.state.waits_for(ladder.seats) else schedule(now)
        tables = [tuple(parted(one)[0] for one in table.players) for table in pairings]
        kept.shown = ShownLadder(now.state, now.table, meetings, tables)
        kept.games, kept.seen = now.games, seen
    return kept.shown


class FaultyGame(NamedTuple):
    """A game that a player forfeited, for its author.

    Attributes
    ----------
    log
        Head and tail of the player's output; it and the next fields are empty without a record.
    step
        The number of the step in the replay that shows the fault.
    command
        The command that plays the game again with the author's file; empty for programs.
    """

    number: int
    opponents: Sequence[str]
    reason: str
    message: str
    log: str = ""
    step: int | None = None
    command: str = ""


class PlayerGames(NamedTuple):
    """The games of a player, for its page.

    Attributes
    ----------
    versions
        All versions, in the order of their last games.
    version
        The present version, or the last one; the next fields are about it.
    latest
        The latest games, the last one first.
    kept
        The numbers of games in `latest` and `reasons` that have records.
    faults
        The latest games that the player forfeited, the last one first, with what the author wrote;
        none for readers who may not read that.
    printed
        What it has printed in the latest game with a record; empty for the same readers.
    """

    versions: Sequence[VersionGames]
    version: str
    reasons: Reasons
    latest: Sequence[FinishedGame]
    kept: set[int]
    faults: Sequence[FaultyGame] = ()
    printed: str = ""


def player_games(
    ladder: Ladder, state: State, name: str, is_listed: bool, is_own: bool
) -> PlayerGames:
    """Return the games of a player; to read and check them takes a tenth of a second.

    Parameters
    ----------
    is_listed
        Whether the player is in the table, and so may have no game.
    is_own
        Whether the reader may read what the author of the player wrote.

    Raises
    ------
    NotFound
        If there is no player of that name.
    """
    entrant = state.named(name)
    with kept_store(ladder, state) as store:
        if not is_listed and (store is None or name not in names_there(store)):
            raise NotFound("there is no such player")
        if store is None:
            return PlayerGames((), "", reasons_of([], name), (), set())
        versions = versions_of(store, state.number, name)
        last = versions[-1].version if versions else ""
        version = last if entrant is None else entrant.version
        found = games_of(store, state.number, name, version)
        games = [game.read_by(*[name] * is_own) for game in found]
        reasons, latest = reasons_of(games, name), games[::-1][:LATEST]
        failed = [game for game in games[::-1] if reasons.seats(game)[0].forfeit][:FAULTS]
        shown = {*reasons.numbers, *(game.number for game in (*latest, *failed))}
        kept = records_there(store, shown)
        if not is_own:
            return PlayerGames(versions, version, reasons, latest, kept)
        faults = [faulty_game(ladder, store, game, reasons, kept) for game in failed]
        played = next((game for game in latest if game.number in kept), None)
        printed = ""
        if played is not None:
            printed, _ = fault_of(store.record(played.number), played.key.seating.index(name))
        return PlayerGames(versions, version, reasons, latest, kept, faults, printed)


def faulty_game(
    ladder: Ladder, store: Store, game: FinishedGame, reasons: Reasons, kept: Collection[int]
) -> FaultyGame:
    """Return a game that a player forfeited, with its output if the record is kept."""
    own, others = reasons.seats(game)
    opponents = [other.player for other in others]
    told = (game.number, opponents, own.forfeit or "", own.message or "")
    if game.number not in kept:
        return FaultyGame(*told)
    seat, file = game.seats.index(own), own.player
    log, step = fault_of(store.record(game.number), seat)
    words = ["ludograph", "player", "debug", file, ladder.game.name, "--record", "game.jsonl"]
    command = "" if file.endswith(PROGRAM) else shlex.join([*words, "--seat", str(seat)])
    return FaultyGame(*told, log, step, command)
