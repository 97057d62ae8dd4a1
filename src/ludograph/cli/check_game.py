"""``ludograph check-game``: the conformance suite, for a game of your own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from ludograph.cli.games import GameName
from ludograph.cli.option_types import SEED
from ludograph.cli.program import Command, argument, option
from ludograph.cli.progress import progress
from ludograph.formatting import counted
from ludograph.games.options import Whole
from ludograph.games.registry import game, name_of

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.games.game import AnyGame

BROKEN = 1
"""The exit code if a check fails."""

EPILOG = """\
Examples:
  ludograph check-game hex
  ludograph check-game ./mygame    the folder or file of a game that is not installed

The exit code is 1 if a check fails or a rule cannot be compiled. A sentence says where and why.
"""


@click.command("check-game", cls=Command, epilog=EPILOG)
@argument("game_name", metavar="GAME", type=GameName())
@option(
    "Options",
    "--games",
    type=Whole(1, 100_000),
    default=5,
    help="Random games from each start.",
)
@option("Options", "--seed", type=SEED, default=0, help="Seed of the moves.")
def check_game(game_name: str, games: int, seed: int) -> None:
    """Run the checks that every game must pass, in random games.

    They check moves, copies, texts, bounds, proofs and setups as data, and that the rules give the
    same states in plain Python and in machine code.
    """
    from ludograph.conformance import ConformanceError
    from ludograph.rules.compile_errors import CannotCompile

    name = name_of(game_name)
    try:
        checked = check_samples(game(name), games, seed)
    except (ConformanceError, CannotCompile) as error:
        click.echo(error)
        click.get_current_context().exit(BROKEN)
    click.echo(f"{name} passes all checks in {counted(checked, 'random game')}.")


def check_samples(game: AnyGame, games: int, seed: int) -> int:
    """Check each sample of a game, and its default start; return the number of random games.

    Raises
    ------
    ConformanceError
        If the game does not keep the contract; the error names the sample.
    CannotCompile
        If one of its rules cannot be compiled.
    """
    from ludograph import conformance

    samples = conformance.samples_of(game)
    with progress(len(samples), "samples", shown=True) as advance:
        for number, sample in enumerate(samples):
            try:
                conformance.check_game(partial(copied, sample), games=games, seed=seed)
            except conformance.ConformanceError as error:
                message = f"sample {number} of {game.name}: {error}"
                raise conformance.ConformanceError(message) from None
            advance(str(sample))
    return games * len(samples)


def copied(start: Position, _seed: int) -> Position:
    """Return a copy of a start for any seed."""
    return start.copy()
