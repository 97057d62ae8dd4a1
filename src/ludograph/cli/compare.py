"""``ludograph compare``: pairs of games until the better of two players is certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ludograph.cli.game_options import games_group
from ludograph.cli.option_types import JOBS, ClockText
from ludograph.cli.program import option, output
from ludograph.cli.shared_options import (
    AS_JSON,
    ISOLATION_OPTIONS,
    STORE_OF_SERIES,
    games_option,
    seed_option,
)
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Number
from ludograph.players.spec import check_name

EXAMPLES = """\
  ludograph compare {name} new.py old.py                    is the new one better?
  ludograph compare {name} my.py:c=1 my.py:c=2 -j 4         which setting is better?
  ludograph compare {name} new.py old.py -r 4000 --elo 10
"""

OPTIONS = (
    games_option(
        "Comparison",
        "Number of games at most, two in each pair.",
        default=1000,
    ),
    option(
        "Comparison",
        "--elo",
        type=Number(1, 1000),
        default=20.0,
        help="Smallest difference in Elo that matters to you (default: 20). If the difference is "
        "less, the players may be called equal.",
    ),
    option("Comparison", "-j", "--jobs", type=JOBS, default=1, help="Number of games at a time."),
    seed_option("Comparison"),
    option("Comparison", "--clock", type=ClockText(), help="Time limit: 1s, 60s+1s, start=20s."),
    *ISOLATION_OPTIONS,
    STORE_OF_SERIES,
    output("-q", "--quiet", is_flag=True, help="Write only the sentence with the result."),
    AS_JSON,
)


@games_group(
    "compare",
    OPTIONS,
    about="""Decide which of two players of {game} is better.

        Play pairs of games with exchanged seats, until the answer is certain or --games are played.
        """,
    examples=EXAMPLES,
    takes=lambda game: game.seats[0] <= 2 <= game.seats[1],
    lacks="is not a game for two players",
    subcommand_metavar="GAME [OPTIONS] NEW OLD",
)
def compare(
    game: Declaration, given: Values, players: Sequence[str], *, elo: float, **match: Any
) -> None:
    """Decide which of two players is better: play pairs of games until it is certain."""
    from ludograph.arena.comparison import Comparison
    from ludograph.cli.play.command import GameArguments
    from ludograph.cli.play.match import plan_of
    from ludograph.cli.series import play_all_games, write_first_faults, write_repeats
    from ludograph.cli.texts import safe, show_json

    if len(players) != 2:
        raise click.UsageError(
            f"name two players, as in 'ludograph compare {game.name} new.py old.py'"
        )
    if match["games"] % 2:
        raise click.UsageError(f"--games must be an even number, got {match['games']}")
    for text in players:
        check_name(text, game)
    arguments = GameArguments(**match)
    played = play_all_games(plan_of(game, given, tuple(players), arguments), arguments, elo)
    series = played.tournament
    games = series.wanted(played.finished.results)
    comparison = Comparison(elo, (series.names[0], series.names[1]), games)
    total = comparison.pairs.total
    if played.trouble is None or total:
        if arguments.as_json:
            show_json(comparison.to_data())
        else:
            click.echo(safe(comparison.sentence))
        write_repeats(played)
        write_first_faults(played.result)
    played.end(f"{total} of {series.games // 2} pairs")
