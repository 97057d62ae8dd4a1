"""``ludograph GAME -r``: plays a series, keeps its games, and reports the counts."""

from __future__ import annotations

import dataclasses
from contextlib import ExitStack
from dataclasses import dataclass

import click

from ludograph.arena.executor import local_executor
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import play_plan, play_unrecorded
from ludograph.arena.rendering import repeats
from ludograph.arena.results import Results, RunningResults
from ludograph.arena.series import SeriesResult, empty_result, series_of
from ludograph.arena.tournament import Tournament, play_games
from ludograph.cli.executors import enter_in, tell_beginning
from ludograph.cli.play.command import GameArguments
from ludograph.cli.play.match import MatchPlan, prepare
from ludograph.cli.player_output import series_listener, write_log
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.shared_options import RUN_AGAIN
from ludograph.cli.texts import safe, show_json, show_tables
from ludograph.errors import HostFailure
from ludograph.formatting import counted, one_line


@dataclass(slots=True)
class PlayedSeries:
    """A series that was played, to its end or not.

    Attributes
    ----------
    finished
        All games so far.
    trouble
        What has ended it before its last game.
    """

    tournament: Tournament
    arguments: GameArguments
    result: SeriesResult
    finished: RunningResults
    trouble: KeyboardInterrupt | HostFailure | None = None

    def end(self, reached: str) -> None:
        """Raise the trouble, if there is one, with what was reached and how to go on."""
        if self.trouble is None:
            return
        again = f"--seed {self.tournament.luck} plays the same again, --store would continue it"
        if self.arguments.store is not None:
            again = RUN_AGAIN
        if isinstance(self.trouble, HostFailure):
            raise HostFailure(f"{self.trouble}; {reached}; {again}") from None
        raise Interrupted(f"interrupted after {reached}; {again}") from None


def play_many(plan: MatchPlan, arguments: GameArguments) -> None:
    """Play games and write the counts; after Ctrl-C, the counts of the games so far."""
    played = play_all_games(plan, arguments)
    if not isinstance(played.trouble, HostFailure) or played.result.games:
        write_counts(played.result, arguments)
        write_repeats(played)
    played.end(f"{played.result.games} of {counted(played.tournament.games, 'game')}")


def play_all_games(
    plan: MatchPlan, arguments: GameArguments, difference: float | None = None
) -> PlayedSeries:
    """Play the games of a series that are missing, keep all, and count them.

    Parameters
    ----------
    difference
        The difference in Elo that a comparison of two players is to find; None: play all games.
    """
    prepare(plan)
    series = series_of(
        plan.make_position,
        plan.players,
        arguments.games or 0,
        plan.options,
        starter=plan.starter,
        details=plan.details,
        seed=arguments.seed,
    )
    if difference is not None:
        series = dataclasses.replace(series, difference=difference)
    number = 0
    earlier: list[FinishedGame] = []
    if arguments.store is not None:
        number, series, earlier = enter(series, arguments)
    before = Results.of(game.row for game in earlier)
    played = PlayedSeries(series, arguments, empty_result(series), RunningResults(before))
    for game in earlier:
        if series.game_number(game.key) < series.games:
            played.result.add(game)
    if not series.is_over(before):
        try:
            _play(played, number)
        except (KeyboardInterrupt, HostFailure) as error:
            played.trouble = error
    return played


def enter(
    series: Tournament, arguments: GameArguments
) -> tuple[int, Tournament, list[FinishedGame]]:
    """Enter a series in its store; return its number there, with the seed and games so far."""
    from ludograph.arena.store import GameFilter, Store

    with Store(arguments.store) as store:
        number, series = enter_in(store, series, shown=not arguments.silent)
        earlier = list(store.games(GameFilter(tournaments=(number,))))
        if len(earlier) < series.games:
            store.lock(number)  # an error comes before the compilation
    return number, series, earlier


def _play(played: PlayedSeries, number: int) -> None:
    """Play the missing games; processes are forked while the store is closed."""
    series, arguments, before = played.tournament, played.arguments, played.result.games
    shown = not arguments.silent
    tell_beginning(series, before if shown else 0)
    play = play_unrecorded if arguments.store is None else play_plan
    jobs = min(arguments.jobs, series.games - before)
    listens = series_listener(arguments.outputs)
    with ExitStack() as stack:
        executor = stack.enter_context(local_executor(play, jobs, series.prepare, listens))
        store = None
        if arguments.store is not None:
            from ludograph.arena.store import Store

            store = stack.enter_context(Store(arguments.store))
            store.lock(number)
            if len(store.played(number)) != len(played.finished):
                raise HostFailure(f"{store.name}: another process has played games of this series")
        advance = stack.enter_context(progress(series.games, "games", shown=shown, done=before))
        for game in play_games(series, executor, played.finished.results):
            played.finished.add(game)
            if store is not None:
                series.check_files()  # a game of another version does not belong to this series
                store.add(number, game, series.versions)
            played.result.add(game)
            advance("")


def write_repeats(played: PlayedSeries) -> None:
    """Write to standard error how many games repeat earlier ones."""
    said = repeats(played.tournament.wanted(played.finished.results))
    if said and not played.result.is_solo:
        further = "'ludograph tournament --openings drawn' has games that differ."
        click.echo(f"{said} {further}", err=True)


def write_counts(result: SeriesResult, arguments: GameArguments) -> None:
    """Write the counts as JSON, as a sentence or as tables, and the faults of players."""
    if arguments.as_json:
        show_json(result.to_data())
    elif arguments.quiet:
        click.echo(safe(result.sentence))
    else:
        click.echo(safe(result.heading))
        show_tables(*result.tables())
    write_first_faults(result)


def write_first_faults(result: SeriesResult) -> None:
    """Write to standard error each player's first fault of a kind, with the player's output."""
    games, logged = result.games, set()
    if games and result.forfeited == games:
        every = "the game was forfeited" if games == 1 else f"all {games} games were forfeited"
        click.echo(f"{every}: none was played to its end", err=True)
    kinds = ((result.first_faults, "the first {}"), (result.first_finish_faults, "{}"))
    for firsts, called in kinds:
        for (place, reason), (_, fault) in sorted(firsts.items(), key=lambda item: item[1].turn):
            tally = result.players[place]
            line = f"{tally.name}, {called.format(reason)}"
            if firsts is result.first_finish_faults:
                times = counted(tally.finish_faults[reason], "game")
                line += f" at the end of {times}, whose result stands"
            click.echo(safe(f"{line}: {one_line(fault.message, 400)}"), err=True)
            if fault.log not in logged:  # for example, a leak at the end is printed once
                logged.add(fault.log)
                write_log(tally.name, fault.seat, fault.log)
