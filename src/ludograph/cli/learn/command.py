"""``ludograph learn`` and its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ludograph.cli.game_options import GamesGroup, game_subcommand
from ludograph.cli.option_types import SEED, Folder, OutputFile
from ludograph.cli.program import option
from ludograph.cli.shared_options import CLUSTER, CONTINUED
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import DataFile, Number, Whole, Word

EXAMPLES = """\
  ludograph learn {name} --minutes 20 --out my.npz               the usual board
  ludograph learn {name} --hours 2 --sims 128 --out my.npz       longer searches
  ludograph learn {name} --teacher mcts:sims=300 --out my.npz    from its games
  ludograph learn {name} --cluster tcp://host:8786 --out my.npz  games on a cluster
  ludograph {name} net:weights=my.npz random                     watch the result

Several boards: --board NAME:5-9 takes all sizes from 5 to 9; --board may be given several times.
"""

OPTIONS = (
    option(
        "Game",
        "--seats",
        type=Whole(2, 64),
        help="Number of players (default: two if the game allows it).",
    ),
    option("Run", "--hours", type=Number(0.0, 10_000.0), help="Hours of learning."),
    option("Run", "--minutes", type=Number(0.0, 600_000.0), help="Minutes of learning."),
    option("Run", "--rounds", type=Whole(1, 1_000_000), help="Stop after this number of rounds."),
    option("Run", "-j", "--threads", type=Whole(1, 1024), help="Threads (default: one per core)."),
    CLUSTER,
    option(
        "Run",
        "--device",
        type=Word(("auto", "cpu", "gpu")),
        default="auto",
        help="Where JAX computes (default: auto, a GPU if there is one).",
    ),
    option("Learning", "--games", type=Whole(1, 100_000), default=128, help="Games in a round."),
    option(
        "Learning",
        "--sims",
        type=Whole(1, 100_000),
        default=32,
        help="Simulations of a long search.",
    ),
    option(
        "Learning",
        "--short-sims",
        type=Whole(1, 100_000),
        default=8,
        help="Simulations of a short search.",
    ),
    option(
        "Learning",
        "--channels",
        type=Whole(16, 512),
        default=32,
        help="Channels of the network, a multiple of 16.",
    ),
    option("Learning", "--layers", type=Whole(1, 64), default=6, help="Layers of the network."),
    option("Learning", "--rate", type=Number(1e-6, 1.0), default=3e-3, help="Learning rate."),
    option("Learning", "--batch", type=Whole(8, 65_536), default=64, help="Positions in a batch."),
    option(
        "Learning",
        "--reuse",
        type=Number(0.01, 1000.0),
        default=6.0,
        help="Number of times that each position is used.",
    ),
    option(
        "Learning",
        "--window",
        type=Whole(1, 100_000_000),
        default=100_000,
        help="Learn from this number of the newest positions (default: 100,000).",
    ),
    option(
        "Learning",
        "--start",
        type=DataFile(),
        help="Begin with the weights of this network, e.g. of one for smaller boards.",
    ),
    option(
        "Learning",
        "--teacher",
        metavar="PLAYER",
        help="Learn from games of this strategy instead of self-play.",
    ),
    option("Learning", "--seed", type=SEED, default=0, help="Seed of the run."),
    option(
        "Matches",
        "--anchor",
        "anchors",
        multiple=True,
        metavar="PLAYER",
        help="Measure the network against this player (default: the anchors of the game).",
    ),
    option(
        "Matches",
        "--match-sims",
        type=Whole(0, 1_000_000),
        multiple=True,
        help="Simulations of the network in matches (default: 0, the network alone).",
    ),
    option(
        "Matches",
        "--match-games",
        type=Whole(2, 100_000),
        default=40,
        help="Games of a match.",
    ),
    option(
        "Matches",
        "--match-every",
        type=Number(0.0, 100_000.0),
        help="Minutes between matches (default: a tenth of the run).",
    ),
    option(
        "Output",
        "--out",
        type=OutputFile(".npz", goes_on=True),
        required=True,
        help="File of the network." + CONTINUED,
    ),
    option(
        "Output", "--folder", type=Folder(), help="Folder of the run (default: FILE without .npz)."
    ),
    option(
        "Output",
        "--tensorboard",
        is_flag=True,
        help="Also write event files for TensorBoard, in tensorboard/ of that folder.",
    ),
    option("Output", "-q", "--quiet", is_flag=True, help="Write the result only."),
)


def learn_command(game: Declaration) -> click.Command:
    """Return ``ludograph learn NAME``."""

    def command(_: click.Context, given: Values, __: Sequence[str], /, **values: Any) -> None:
        from ludograph.cli.learn.running import LearnArguments, run

        run(game, given, LearnArguments(**values))

    return game_subcommand(
        game,
        command,
        OPTIONS,
        about=f"""Learn a network for {game.name.capitalize()} by self-play or from a strategy.

        The player net:weights=FILE plays with it. Needs the extra: pip install 'ludograph[learn]'.
        """,
        short_help=f"Learn {game.name.capitalize()} by self-play.",
        examples=EXAMPLES,
        no_players="nothing can follow the board",
        several=("board",),
    )


@click.group(
    "learn",
    cls=GamesGroup,
    make=learn_command,
    takes=lambda game: game.seats[1] >= 2,
    paths=True,
    short_help="Learn a network for a game by self-play.",
    epilog=f"Examples:\n{EXAMPLES.format(name='hex')}",
    options_metavar="",
    subcommand_metavar="GAME [OPTIONS] --out FILE",
)
def learn() -> None:
    """Learn a network for a game by self-play or from a strategy.

    GAME is the name of a game, or the path of a folder or file with a game, as in ./mygame.
    """
