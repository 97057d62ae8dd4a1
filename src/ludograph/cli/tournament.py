"""``ludograph tournament``: games of many players, which a store keeps, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.arena.overtime import MOST, OVERTIME
from ludograph.cli.game_options import GamesGroup, chosen, games_group
from ludograph.cli.option_types import GAMES_IF_NOT_GIVEN, SEED, ClockText
from ludograph.cli.program import Command, Interrupted, option, options, output
from ludograph.cli.progress import LiveStanding, live
from ludograph.cli.shared_options import (
    EXECUTOR_OPTIONS,
    FORMAT_OPTIONS,
    ISOLATION_OPTIONS,
    RUN_AGAIN,
    STORE,
    format_of,
    games_option,
)
from ludograph.errors import HostFailure
from ludograph.formatting import counted
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Whole, Word
from ludograph.games.registry import load
from ludograph.players.spec import parse_player, preparation

if TYPE_CHECKING:
    from ludograph.arena.finished_game import FinishedGame
    from ludograph.arena.results import Results
    from ludograph.arena.tournament import Tournament
    from ludograph.cli.executors import Machines

schedule = partial(option, "Tournament")

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")

EXAMPLES = """\
  ludograph tournament {name} -r 100 my.py mcts random          all players against each other
  ludograph tournament {name} --format gauntlet my.py a.py b.so  the first one against all others
  ludograph compare {name} new.py old.py                         is new.py better than old.py?
"""

FILE_EXAMPLES = """\
  ludograph tournament course.toml -j 4                         the tournament in this file
  ludograph tournament course.toml --cluster tcp://host:8786    on the machines of a cluster
"""


RUN_OPTIONS = (
    *EXECUTOR_OPTIONS,
    *ISOLATION_OPTIONS,
    STORE,
    output("-q", "--quiet", is_flag=True, help="Write the tables only."),
    *FORMAT_OPTIONS,
)
"""Options of this machine and this run, so they are never in a tournament's file."""

TOURNAMENT_OPTIONS = (
    schedule("--format", type=Word(FORMATS), default=FORMATS[0], help="The schedule."),
    games_option(
        "Tournament",
        "Number of games in each pairing; swiss: of each player; knockout: in each match.",
        default=GAMES_IF_NOT_GIVEN,
    ),
    schedule(
        "--overtime",
        type=Whole(0, MOST),
        default=OVERTIME,
        help="Knockout: pairs of games at most after a tie, until one player is ahead (default: "
        "5). Without a decision the higher seed advances.",
    ),
    schedule(
        "--seats",
        type=Whole(2, 64),
        help="Number of seats (default: the fewest that the game allows).",
    ),
    schedule(
        "--sample",
        is_flag=True,
        help="With more than 2 seats: play a sample of games, not all combinations of players.",
    ),
    schedule(
        "--seed",
        type=SEED,
        help="Play the same games again with the same number. A player that guesses it knows all "
        "chance moves; small numbers are easy to guess (default: a secret is drawn).",
    ),
    schedule("--clock", type=ClockText(), help="Time limit: 1s, 60s+1s, start=20s."),
    schedule(
        "--openings",
        metavar="NAME|FILE|drawn",
        help="First moves of the games: the name of an opening suite of the game, a file with "
        "one opening in each line, or drawn by the seed. Overtime draws openings in any case if "
        "the start is always the same.",
    ),
    *RUN_OPTIONS,
)


class Tournaments(GamesGroup):
    """A command for every game, and one for every file."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a game, or the command of a file."""
        if cmd_name.endswith(".toml"):
            return file_command(Path(cmd_name))
        return super().get_command(ctx, cmd_name)


@games_group(
    "tournament",
    TOURNAMENT_OPTIONS,
    about="""Play a tournament of {game}.

        On each start, every player plays on every seat. You may interrupt or kill the command. To
        continue, run the same command again.
        """,
    examples=EXAMPLES,
    cls=Tournaments,
    epilog=f"Examples:\n{EXAMPLES.format(name='flood')}{FILE_EXAMPLES}",
    subcommand_metavar="GAME|FILE.toml [OPTIONS] PLAYERS...",
)
def tournament(game: Declaration, given: Values, players: Sequence[str], **rest: Any) -> None:
    """Play a tournament, keep its games in a store, and show tables.

    You may interrupt or kill the command. To continue, run the same command again.
    """
    run(game, players, [given], **rest)


def file_command(path: Path) -> click.Command:
    """Return ``ludograph tournament FILE.toml``."""

    def command(**given: Any) -> None:
        from ludograph.cli.declared_files import read_tournament

        run(**read_tournament(path), **given)

    command.__doc__ = "Play the tournament of a file."
    return click.command(
        path.name, cls=Command, epilog=f"Examples:\n{FILE_EXAMPLES}", options_metavar="[OPTIONS]"
    )(options(RUN_OPTIONS)(command))


def run(
    game: Declaration,
    players: Sequence[str],
    variants: Sequence[Values],
    *,
    seats: int | None,
    seed: int | None,
    clock: str | None,
    openings: str | None,
    jobs: int | None,
    cluster: str | None,
    isolation: str | None,
    memory: int | None,
    store: str | None,
    quiet: bool,
    as_json: bool,
    as_csv: bool,
    markdown: bool,
    **schedule: Any,
) -> None:
    """Check the arguments together, then play.

    Parameters
    ----------
    variants
        The game's options; several if starts differ in more than their seed.
    schedule
        Further arguments of a :class:`Tournament`.
    """
    from ludograph.arena.openings import chosen_openings
    from ludograph.arena.tournament import Tournament
    from ludograph.cli.executors import Machines, isolation_for
    from ludograph.players.isolation import Isolation
    from ludograph.referee.options import MatchOptions, series_clocks
    from ludograph.referee.player_factory import built

    form = format_of(as_json, as_csv, markdown)
    machines = Machines(jobs, cluster, quiet)
    seats = checked_seats(game, players, seats)
    rules = load(game)
    specs = [parse_player(text, rules, seats) for text in players]
    if any(spec.kind == "human" for spec in specs):
        raise click.UsageError("a human plays one game at a time, so not in a tournament")
    libraries = any(spec.kind == "library" for spec in specs)
    defaults = dict(game.with_libraries or {}) if libraries else None
    options = [chosen(game, given, defaults) for given in variants]
    clocks = series_clocks(clock, specs)

    def make_position(variant: int, seed: int) -> Any:
        return rules.position(seats=seats, seed=seed, **options[variant])

    starts = [make_position(variant, seed or 0) for variant in range(len(options))]
    titles = [
        start.title(game.title(values)) for start, values in zip(starts, options, strict=True)
    ]
    suite = None if openings is None else chosen_openings(openings, starts, specs)
    more = f" and {len(titles) - 1} more" if len(titles) > 1 else ""
    seeded = "" if seed is None else f", seed {seed}"
    begun = "" if openings is None else f", openings {Path(openings).name}"
    held = (
        Isolation.chosen(isolation, memory)  # the workers check their own isolation
        if cluster is not None
        else isolation_for(specs, isolation, memory, quiet=quiet or form != "text")
    )
    if cluster is None:  # workers of a cluster compile C sources themselves
        specs = [built(spec, rules, held) for spec in specs]
    run_tournament(
        Tournament(
            make_position,
            specs,
            seats=seats,
            variants=len(options),
            seed=seed,
            match_options=MatchOptions.checked(
                clock=clocks[0], foreign_clock=clocks[1], isolation=held
            ),
            openings=suite,
            title=f"{titles[0]}{more}{seeded}{begun}",
            **schedule,
        ),
        machines,
        store,
        form,
    )


def checked_seats(game: Declaration, players: Sequence[str], given: int | None) -> int:
    """Return the number of seats; raise UsageError if the game or the players do not allow it."""
    low, high = game.seats
    if high < 2:
        raise click.UsageError(f"{game.name} is a game for one, so there are no tournaments")
    seats = given or max(low, 2)
    if not max(low, 2) <= seats <= high:
        wanted = f"{high}" if max(low, 2) == high else f"{max(low, 2)} to {high}"
        raise click.UsageError(f"{game.name} has {wanted} seats, got --seats {seats}")
    if len(players) < seats:
        example = " ".join(["my.py", "random", *(f"player{n}.py" for n in range(3, seats + 1))])
        raise click.UsageError(
            f"name {seats} players at least, as in 'ludograph tournament {game.name} {example}'"
        )
    return seats


def run_tournament(
    tournament: Tournament, machines: Machines, store_name: str | None, form: str
) -> None:
    """Play the missing games of a tournament, and write its tables.

    Parameters
    ----------
    form
        As of :func:`~ludograph.cli.results.write`.
    """
    from ludograph.arena.store import Store
    from ludograph.cli.executors import enter_in
    from ludograph.cli.results import report_of, write
    from ludograph.rules.announcer import announcer

    announcer.prepare(preparation(tournament.game, list(tournament.specs.values())))
    with Store(store_name) as store:
        number, tournament = enter_in(store, tournament, shown=not machines.quiet)
        games = store.played(number)
        goes_on = not tournament.is_over(games)
        if goes_on:
            store.lock(number)  # an error comes before the compilation
    if goes_on:
        games = _play(tournament, number, games, machines, store_name, shown=form == "text")
    declaration = {**tournament.declaration, "asked": tournament.games}
    with Store(store_name) as store:
        report = report_of(store, number, declaration, tournament.wanted(games))
    write(report, form)


def _play(
    tournament: Tournament,
    number: int,
    before: Results,
    machines: Machines,
    store_name: str | None,
    *,
    shown: bool,
) -> Results:
    """Play the missing games; processes are forked while the store is closed."""
    from ludograph.arena.playing import play_plan
    from ludograph.arena.store import Store
    from ludograph.arena.tournament import play_tournament
    from ludograph.cli.executors import tell_beginning

    shown = shown and not machines.quiet
    total = tournament.total
    if shown:
        tell_beginning(tournament, len(before))
    standing = LiveStanding(total, before)
    left = None if total is None else total - len(before)
    executor = machines.executor(play_plan, tournament.prepare, tournament.check_files, left)
    try:
        with live(standing, shown=shown) as draw, executor, Store(store_name) as store:

            def count(game: FinishedGame) -> None:
                standing.add(game)
                draw()

            store.lock(number)
            standing.begin()
            games = play_tournament(tournament, number, store, executor, count)
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted after {_progress_text(standing)}") from None
    except HostFailure as error:
        raise HostFailure(f"{error}; {_progress_text(standing)}") from None
    if shown:
        speed = f"{counted(standing.now, 'game')} now, {standing.speed:.3g} a second"
        of = f" of {machines.cluster}" if machines.cluster else ""
        click.echo(f"{speed} on {counted(executor.threads, 'core')}{of}", err=True)
    return games


def _progress_text(standing: LiveStanding) -> str:
    of = f" of {standing.total}" if standing.total is not None else ""
    games = "1 game" if standing.count == 1 and not of else f"{standing.count}{of} games"
    return f"{games}; {RUN_AGAIN}"
