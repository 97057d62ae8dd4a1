"""``ludograph games``, ``strategies``, ``boards``: lists of games, players and boards."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ludograph.cli.option_types import OutputFolder
from ludograph.cli.program import Command, argument, output
from ludograph.games.board_option import BoardType
from ludograph.games.options import OptionType
from ludograph.games.registry import declaration, game, name_of, names
from ludograph.games.strategy import RANDOM_MOVES
from ludograph.views.table import Columns, Table, left

EXAMPLE_WIDTH = 12

PACKAGE = Path(__file__).resolve().parent.parent
EXAMPLES = (PACKAGE / "examples", PACKAGE.parent.parent / "examples")
"""Where the examples are: in a wheel, and in a checkout."""

HUMAN = "you: choose cells with keys, or type moves"


class GameName(OptionType):
    """The name of a game, or the path of a folder or file with one that is not installed."""

    metavar = "GAME"

    @property
    def expected(self) -> str:
        """The valid values."""
        return f"one of {', '.join(names())}"

    @property
    def missing(self) -> str:
        """The advice if no value is given."""
        return f"Choose {', '.join(names())}"

    def parse(self, text: str) -> str:
        """Return the text; raise InvalidInput if there is no such game."""
        declaration(name_of(text))
        return text


@click.command("games", cls=Command)
@output(
    "--examples",
    type=OutputFolder(),
    help="Write the examples of the documentation into a folder: games, boards, notebooks.",
)
def games(examples: Path | None) -> None:
    """List the games."""
    if examples is not None:
        source = next(folder for folder in EXAMPLES if folder.is_dir())
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, examples, ignore=unwanted, dirs_exist_ok=True)
        click.echo(f"wrote {examples}; its README.md says what they show")
        return
    size = max(map(len, names()))
    for name in names():
        click.echo(f"{name:<{size}}  {declaration(name).summary}")


@click.command("strategies", cls=Command)
@argument("game_name", metavar="GAME", type=GameName())
def strategies(game_name: str) -> None:
    """List a game's built-in players, with their parameters.

    Write parameters behind the name of a player, as in mcts:time=0.5,threads=2.
    """
    known = game(name_of(game_name)).strategies
    size = max(map(len, known))
    click.echo(f"{'human':<{size}}  {HUMAN}")
    for name in sorted(known):
        strategy = known[name]
        low, high = strategy.seats
        seats = "" if (low, high) == (1, 64) else f" ({_seats(low, high)})"
        click.echo(f"{name:<{size}}  {strategy.summary}{seats}")
        longest = max((len(option.name) for option in strategy.options), default=0)
        for option in strategy.options:
            default = "" if option.default is None else f" (default: {option.default})"
            click.echo(f"{'':<{size}}    {option.name:<{longest}}  {option.summary}{default}")
    click.echo(f"Every strategy also takes {RANDOM_MOVES.name}: {RANDOM_MOVES.summary}.")


def _seats(low: int, high: int) -> str:
    if low == high:
        return "alone only" if low == 1 else f"{low} seats only"
    return f"{low} or more seats" if high >= 64 else f"{low} to {high} seats"


@click.command("boards", cls=Command)
def boards() -> None:
    """List the families of boards: for each an example, and the games that take it.

    Write a board as FAMILY:WIDTH or FAMILY:WIDTHxHEIGHT, or as the path of a file.
    """
    from ludograph.boards import FAMILIES

    takers: dict[str, list[str]] = {}
    for name in names():
        for option in declaration(name).options:
            if isinstance(option.type, BoardType):
                for family in option.type.offered:
                    takers.setdefault(family, []).append(name)
    rows = []
    for name, make in FAMILIES.items():
        board = make(EXAMPLE_WIDTH)
        example = [name, f"{name}:{EXAMPLE_WIDTH}", board.n, board.edge_count]
        rows.append([*example, ", ".join(takers.get(name, []))])
    columns: Columns = [left("family"), "example", "vertices", "edges", "games"]
    click.echo("\n".join(Table(columns, rows).plain()))
