"""``ludograph selfplay`` and its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ludograph.cli.game_options import GamesGroup, game_subcommand
from ludograph.cli.option_types import ClockText, Folder, SeedText
from ludograph.cli.play.command import check_number
from ludograph.cli.program import option
from ludograph.cli.shared_options import (
    CONTINUED,
    EXECUTOR_OPTIONS,
    ISOLATION_OPTIONS,
    games_option,
)
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Whole
from ludograph.players.spec import HUMAN, check_name

EXAMPLES = """\
  ludograph selfplay {name} random random -r 1000 --out data
  ludograph selfplay {name} mcts mcts -r 200 --thoughts --out data     with visit counts
  ludograph selfplay {name} mcts mcts -r 9000 --cluster tcp://host:8786 --out data
"""

OPTIONS = (
    games_option("Games", "Number of games.", required=True),
    option(
        "Games",
        "--seed",
        type=SeedText(),
        help="Play the same games again: a number, or a key that was shown.",
    ),
    option("Games", "--clock", type=ClockText(), help="Time limit: 1s, 60s+1s, start=20s."),
    *EXECUTOR_OPTIONS,
    *ISOLATION_OPTIONS,
    option(
        "Output",
        "--out",
        type=Folder(),
        required=True,
        help="Folder for the arrays." + CONTINUED,
    ),
    option(
        "Output",
        "--chunk",
        type=Whole(1, 100_000),
        default=50,
        help="Number of games in each file.",
    ),
    option("Output", "--touches", is_flag=True, help="Write the vertices that each move touches."),
    option(
        "Output", "--thoughts", is_flag=True, help="Write the players' visit counts and values."
    ),
    option("Output", "-q", "--quiet", is_flag=True, help="Write the result only."),
)


def selfplay_command(game: Declaration) -> click.Command:
    """Return ``ludograph selfplay NAME``."""

    def command(_: click.Context, given: Values, players: Sequence[str], /, **rest: Any) -> None:
        check_number(game, len(players), f"selfplay {game.name}")
        if HUMAN in players:
            raise click.UsageError("a human plays one game at a time, so not in selfplay")
        for text in players:
            check_name(text, game)
        from ludograph.cli.selfplay.running import SelfplayArguments, run

        run(game, given, tuple(players), SelfplayArguments(**rest))

    return game_subcommand(
        game,
        command,
        OPTIONS,
        about=f"""Write games of {game.name.capitalize()} as arrays: a row for each decision.

        A row holds the player's observation, its legal moves, its move, and its result of the game.
        """,
        short_help=f"Arrays of games of {game.name.capitalize()}.",
        examples=EXAMPLES,
    )


@click.group(
    "selfplay",
    cls=GamesGroup,
    make=selfplay_command,
    short_help="Play games and save them as arrays for learning.",
    epilog=f"Examples:\n{EXAMPLES.format(name='hex')}",
    options_metavar="",
    subcommand_metavar="GAME [OPTIONS] PLAYER...",
)
def selfplay() -> None:
    """Play games and write them as arrays for supervised learning."""
