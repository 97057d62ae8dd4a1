"""A series: many games of the same players, each start played once with every seating."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from ludograph.arena.executor import local_executor
from ludograph.arena.playing import GamePlan, play_unrecorded
from ludograph.arena.series_result import PlayerTally, SeriesResult
from ludograph.arena.tournament import Starter, Tournament, play_games
from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.players.protocol import Playing
from ludograph.referee.clock import Clock
from ludograph.referee.options import MatchOptions
from ludograph.referee.result import MatchResult
from ludograph.referee.seed import Seed

__all__ = [
    "PlayerTally",
    "SeriesResult",
    "count_games",
    "empty_result",
    "heading_of",
    "play_series",
    "series_of",
]


def play_series(  # noqa: PLR0913  (keywords, each with a default)
    make_position: Callable[[int], Position],
    players: Sequence[PlayerSpec | str | Playing],
    games: int,
    *,
    jobs: int = 1,
    on_game: Callable[[int, MatchResult, list[int]], None] | None = None,
    on_output: Callable[[int, int, str], None] | None = None,
    seed: Seed | int | str | None = None,
    starter: Starter = None,
    clock: Clock | str | None = None,
    foreign_clock: Clock | str | None = None,
    isolation: Isolation | str | None = None,
    thoughts: bool = False,
    opening: Sequence[int | str] = (),
) -> SeriesResult:
    """Play games, and return the counts; ``print`` shows them as tables.

    Parameters
    ----------
    make_position
        Called with a whole number; returns the start of a game. Games that differ only in their
        seating get the same start and the same chance events.
    players
        As in :func:`play_match`; one may be there twice.
    jobs
        The number of processes; the result is that of one, for players that ignore the clock.
    on_game
        Called after each game with its number, its result, and the player on each seat; only with
        one process.
    on_output
        Called with a player's place, its seat and a line that it has just printed.
    seed
        The seed that determines those of all games, as in :func:`play_match`.
    starter
        The player that starts: always that of a place, one by lot (``random``), or the result of a
        function of the game's number, the same each time; None: each in turn.
    clock, foreign_clock, isolation, thoughts, opening
        As :func:`play_match` understands them.

    Raises
    ------
    InvalidInput
        If there are several processes and ``on_game``: they do not return boards.
    HostFailure
        If one of several processes dies, and the one that plays its game again dies, too.
    """
    if jobs > 1 and on_game is not None:
        raise InvalidInput("on_game works only for games in this process, so jobs must be 1")
    options = MatchOptions.checked(
        clock=clock,
        foreign_clock=foreign_clock,
        seed=seed,
        isolation=isolation,
        thoughts=thoughts,
        opening=opening,
    )
    series = series_of(make_position, players, games, options, starter=starter)

    def note(plan: GamePlan, match: MatchResult) -> None:
        if on_game is not None:
            seating = [series.names.index(name) for name in plan.key.seating]
            on_game(series.game_number(plan.key), match, seating)

    return count_games(series, jobs=jobs, on_output=on_output, on_result=note)


def series_of(
    make_position: Callable[[int], Position],
    players: Sequence[PlayerSpec | str | Playing],
    games: int,
    options: MatchOptions,
    *,
    starter: Starter = None,
    details: Sequence[str] = (),
    seed: Seed | None = None,
) -> Tournament:
    """Return a series as a tournament.

    Parameters
    ----------
    options
        The options of each game. Their seed determines the seeds of all games.
    details
        The description of the starts in a heading, beside the game and the board.
    seed
        The seed, if a person gave it, so that with another one it is another series; None: that of
        the options if it is a whole number.
    """
    given = options.seed if seed is None and options.seed.number is not None else seed
    number = None if given is None else given.number
    known = [*details, *([] if number is None else [f"seed {number}"])]
    return Tournament(
        lambda _, number: make_position(number),
        players,
        format="series",
        games=games,
        seats=len(players),
        match_options=options,
        starter=starter,
        seed=given,
        secret=options.seed,
        title=make_position(number or 0).title(known),
    )


def heading_of(series: Tournament) -> str:
    """Return the title of a series with its seed, also if it was drawn."""
    known = series.seed_number is not None
    return series.title if known else f"{series.title}, seed {series.luck}"


def empty_result(series: Tournament) -> SeriesResult:
    """Return the result of a series before its first game."""
    heading = heading_of(series)
    shown = ("clock", "foreign_clock", "starter")
    data = {
        "game": series.game,
        "heading": heading,
        "seed": series.luck.data,
        **{name: series.declaration[name] for name in shown},
        "asked": series.games,
    }
    return SeriesResult.empty(series.names, list(series.texts.values()), heading, data)


def count_games(
    series: Tournament,
    *,
    jobs: int = 1,
    on_output: Callable[[int, int, str], None] | None = None,
    on_result: Callable[[GamePlan, MatchResult], None] = lambda *_: None,
) -> SeriesResult:
    """Play a series in memory, and return the counts.

    Parameters
    ----------
    on_output
        As in :func:`play_series`.
    on_result
        Called with each game and its result, in the process of the game.
    """
    result = empty_result(series)

    def printed(name: str, seat: int, line: str) -> None:
        if on_output is not None:
            on_output(series.names.index(name), seat, line)

    objects = cast("Sequence[Playing]", series.players)  # those at the places of a plan are objects
    play = partial(play_unrecorded, objects=objects, on_result=on_result)
    listens = None if on_output is None else printed
    with local_executor(play, min(jobs, series.games), series.prepare, listens) as executor:
        for game in play_games(series, executor):
            result.add(game)
    return result
