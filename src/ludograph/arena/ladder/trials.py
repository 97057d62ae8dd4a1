"""Games beside a ladder, which do not count for it: the trial of a file, versions compared."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ludograph.arena.comparison import Comparison
from ludograph.arena.executor import Executor
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.folder import State
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.submission_list import Submitted, submissions
from ludograph.arena.playing import GamePlan
from ludograph.arena.tournament import Tournament, play_games
from ludograph.errors import InvalidInput, NotFound
from ludograph.formatting import one_line
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.players.spec import parse_player
from ludograph.referee.seed import Seed
from ludograph.workers import TooLong


def trial_plans(ladder: Ladder, player: PlayerSpec, isolation: Isolation) -> list[GamePlan]:
    """Return the games of a trial: against the first anchor, on the first and on the last seat.

    The start and all chance are drawn anew, so they tell nothing about games of the ladder.
    """
    number = secrets.randbits(31)
    start = ladder.make_position(number % ladder.variants, number)
    options = replace(
        ladder.match_options,
        seed=Seed.drawn(),
        chance_seed=Seed.drawn(),
        isolation=isolation,
        opening=ladder.opening(number),
    )
    plans = []
    for seat in (0, ladder.seats - 1):
        players = [ladder.anchors[0]] * ladder.seats
        players[seat] = player
        key = GameKey(number, tuple(one.text for one in players))
        plans.append(GamePlan(key, start, number, players, options))
    return plans


class Trial(NamedTuple):
    """The result of a trial.

    Attributes
    ----------
    fault
        The first fault of the player, with its message; empty if it has none.
    """

    games: int
    wins: int
    fault: str


def trial_of(games: Sequence[FinishedGame], player: str) -> Trial:
    """Return the result of a player in the games of its trial."""
    seats = [
        (seat, points)
        for game in games
        for seat, points in zip(game.seats, game.points, strict=True)
        if seat.player == player
    ]
    faults = [f"{seat.forfeit}, {seat.message}" for seat, _ in seats if seat.forfeit]
    return Trial(len(games), sum(points == 1.0 for _, points in seats), next(iter(faults), ""))


def kept_versions(ladder: Ladder, rows: Iterable[Submitted], file: str) -> list[Submitted]:
    """Return the versions of a file that can still play, out of all submissions."""
    own = {row.number: row for row in rows if row.event.file == file and row.number}
    return [
        row
        for _, row in sorted(own.items())
        if ladder.folder.played_file(file, row.event.version).is_file()
    ]


def version_called(ladder: Ladder, state: State, text: str) -> PlayerSpec:
    """Return a version of a player, or a built-in player, by its name.

    Parameters
    ----------
    text
        As in ``fay.py@2``, the second version, and ``fay.py@9f86d081``, the version of a digest;
        ``fay.py`` is the last version.

    Raises
    ------
    NotFound
        If there is no such version, or it is not kept any more.
    InvalidInput
        If there is no such built-in player.
    """
    file, _, wanted = text.rpartition("@") if "@" in text else (text, "", "")
    rows = submissions(ladder, state)
    if not any(row.event.file == file for row in rows):
        if wanted or (spec := parse_player(text, ladder.game, ladder.seats)).kind != "strategy":
            raise NotFound(f"there is no player {one_line(file, 60)!r}")
        return spec
    kept = kept_versions(ladder, rows, file)
    for row in reversed(kept):
        version = row.event.version
        if wanted in ("", str(row.number)) or (len(wanted) >= 6 and version.startswith(wanted)):
            path = ladder.folder.played_file(file, version).absolute()
            return replace(ladder.player_in(file, path), text=row.label, known_as=row.label)
    there = ", ".join(row.label for row in kept) or "none"
    raise NotFound(f"version {one_line(wanted, 20)} of {file} is not kept here; kept are: {there}")


GAMES = 1000
ELO = 20.0
"""The most games of a comparison, and the difference in Elo that matters."""


def series_of_two(
    ladder: Ladder, players: Sequence[PlayerSpec], isolation: Isolation
) -> Tournament:
    """Return a series of two players from the starts of a ladder, which stops at an answer.

    Raises
    ------
    InvalidInput
        If the game has more seats, or both are the same.
    """
    if ladder.seats != 2:
        raise InvalidInput(f"versions are compared in games of two seats, not of {ladder.seats}")
    if players[0].text == players[1].text:
        raise InvalidInput(f"both are {players[0].text}: choose two versions")
    options = replace(ladder.match_options, isolation=isolation)
    return Tournament(
        ladder.make_position,
        players,
        format="series",
        games=GAMES,
        variants=ladder.variants,
        match_options=options,
        openings=ladder.openings,
        difference=ELO,
        title=ladder.title,
        secret=Seed.drawn(),
    )


def compared(
    series: Tournament,
    executor: Executor[GamePlan, FinishedGame],
    seconds: float,
    on_game: Callable[[], None] = lambda: None,
) -> Comparison:
    """Play a series until it has an answer or the time is over; return the comparison.

    Raises
    ------
    HostFailure, InvalidInput
        If a game has no result.
    """
    comparison = Comparison(ELO, (series.names[0], series.names[1]))
    end = time.monotonic() + seconds
    with suppress(TooLong):
        for game in play_games(series, executor):
            comparison.add(*game.key, game.points)
            on_game()
            if time.monotonic() >= end:
                break
    return comparison
