"""``ludograph puzzles``: positions in which exactly one move wins, of recorded or random games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import chosen, game_subcommand, new_game
from ludograph.cli.option_types import SEED
from ludograph.cli.program import Command, argument, option
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Seconds, Whole
from ludograph.games.registry import declaration, is_game

if TYPE_CHECKING:
    from ludograph.analysis.puzzles import Puzzle

NO_PUZZLE = 1
"""The exit code if no puzzle is found."""

GAME_SECONDS, MAKING_SECONDS = 20.0, 60.0
"""The default limits in seconds: for a recorded game, and for all puzzles of ``--make``."""

EPILOG = """\
Examples:
  ludograph hex --size 6 --record game.jsonl mcts mcts
  ludograph puzzles game.jsonl             show the puzzles of this game
  ludograph puzzles --time 60 *.jsonl      search many games, for longer
  ludograph puzzles --json game.jsonl      one JSON object per line
  ludograph puzzles --make 3 hex --size 4 --seed 1   make three from random games

After --make, write a game with its options in place of files. The exit code is 1
if no puzzle is found.
"""


class PuzzlesCommand(Command):
    """Passes a ``--help`` after the game of ``--make`` to the command of that game."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments of the command line."""
        makes = any(each.partition("=")[0] == "--make" for each in args)
        if makes and "--help" in args and any(map(is_game, args)):
            args = [*(each for each in args if each != "--help"), "--", "--help"]
        return super().parse_args(ctx, args)


@click.command(
    "puzzles",
    cls=PuzzlesCommand,
    short_help="Find puzzles in recorded games, or make some.",
    epilog=EPILOG,
    context_settings={"ignore_unknown_options": True},  # those after --make belong to a game
)
@argument("files", metavar="FILE...", nargs=-1, required=True, type=click.UNPROCESSED)
@option(
    "Search",
    "--make",
    "count",
    type=Whole(1, 1000),
    help="Make N puzzles from random games of the game that follows.",
)
@option(
    "Search",
    "--time",
    "limit",
    type=Seconds(0.1, 1e6),
    help="Time limit for each game (default: 20); with --make, for all puzzles (default: 60).",
)
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object per line.")
@click.pass_context
def puzzles(
    context: click.Context,
    files: Sequence[str],
    count: int | None,
    limit: float | None,
    *,
    as_json: bool,
) -> int:
    """Find positions of recorded games in which exactly one move wins.

    A solver proves each puzzle. The answers are written below the puzzles.
    """
    if count is not None:
        maker = PuzzleMaker(count, limit or MAKING_SECONDS, as_json=as_json)
        return maker.run(context, files[0], list(files[1:]))
    unknown = next((each for each in files if each.startswith("-") and each != "-"), None)
    if unknown is not None:
        raise click.NoSuchOption(unknown.partition("=")[0], ctx=context)
    from ludograph.analysis.puzzles import find_puzzles
    from ludograph.cli.progress import waiting
    from ludograph.cli.texts import safe
    from ludograph.protocols.formats import read_game

    found: list[tuple[str, dict[str, Any], Puzzle]] = []
    for file in files:
        record = read_game(file)
        with waiting(f"{safe(file)}: searching", shown=not as_json):
            found += [
                (f"{safe(file)} after {each.ply} moves", {"file": file}, each)
                for each in find_puzzles(record, limit or GAME_SECONDS)
            ]
    return show(found, "There is no puzzle in these games.", as_json=as_json)


class PuzzleMaker:
    """``ludograph puzzles --make COUNT``.

    Parameters
    ----------
    seconds
        The time limit for all puzzles together.
    """

    def __init__(self, count: int, seconds: float, *, as_json: bool) -> None:
        self.count, self.seconds, self.as_json = count, seconds, as_json

    def run(self, context: click.Context, name: str, words: list[str]) -> int:
        """Make puzzles of a game with the options that follow its name."""
        game = declaration(name) if is_game(name) else None
        if game is None or game.solving is None:
            raise click.UsageError(
                f"--make needs a game that can be solved, as in --make 3 hex, got {name[:80]!r}"
            )
        command = self.command(game)
        called = f"{context.info_name} --make {self.count} {name}"
        with command.make_context(called, words, parent=context.parent) as inner:
            code: int = command.invoke(inner) or 0
        return code

    def command(self, game: Declaration) -> click.Command:
        """Return the command that takes the options of a game."""

        def made(_: click.Context, given: Values, __: Sequence[str], /, *, seed: int | None) -> int:
            return self.make(game, given, seed)

        return game_subcommand(
            game,
            made,
            [option("Search", "--seed", type=SEED, help="Seed of the random games.")],
            about=f"Make puzzles from random games of {game.name.capitalize()}.",
            short_help=f"Make puzzles of {game.name.capitalize()}.",
            examples="  ludograph puzzles --make 3 {name} --seed 1",
            no_players="no players are needed",
        )

    def make(self, game: Declaration, given: Values, seed: int | None) -> int:
        """Make the puzzles and show them."""
        from ludograph.analysis.advice import texts_of_line
        from ludograph.analysis.puzzles import make_puzzles
        from ludograph.cli.progress import waiting

        values = chosen(game, given, dict(game.solving or {}))
        start, details, data = new_game(game, values, 2, seed)
        options = {name: plain_value(value) for name, value in given.items()}
        found: list[tuple[str, dict[str, Any], Puzzle]] = []
        with waiting(f"{self.count} puzzles: searching", shown=not self.as_json) as say:
            for each in make_puzzles(start, self.count, self.seconds, data["seed"]):
                moves = list(texts_of_line(start, each.position.history))
                about = {
                    "game": game.name,
                    "options": options,
                    "seed": data["seed"],
                    "moves": moves,
                }
                shown = f"{game.name}, {', '.join(details)}, after {' '.join(moves)}"
                found.append((shown, about, each))
                say(f"{len(found)} of {self.count} puzzles: searching")
        return show(
            found,
            "No puzzle was found; a smaller board or more --time may give some.",
            as_json=self.as_json,
        )


def plain_value(value: Any) -> bool | float | str:
    """Return the value of an option as JSON-able data."""
    return value if isinstance(value, bool | int | float) else str(value)


def show(
    found: Sequence[tuple[str, dict[str, Any], Puzzle]], nothing: str, *, as_json: bool
) -> int:
    """Write puzzles, then their answers; return the exit code.

    Parameters
    ----------
    found
        For each puzzle: its origin in words, its origin as data, and the puzzle itself.
    nothing
        The sentence if there are none.
    """
    from ludograph.views import plain

    for number, (origin, about, puzzle) in enumerate(found, 1):
        position = puzzle.position
        if as_json:
            data = {**about, "ply": puzzle.ply, "seat": position.turn}
            data |= {"move": puzzle.line[0], "line": puzzle.line, "question": puzzle.question}
            click.echo(json.dumps(data, ensure_ascii=False))
            continue
        click.echo(f"{number}. {origin}\n")
        click.echo(f"{plain.text(position.scene())}\n\n{puzzle.question}\n")
    if found and not as_json:
        click.echo("Answers")
        for number, (_, _, puzzle) in enumerate(found, 1):
            click.echo(f"{number}. {' '.join(puzzle.line)}")
    elif not found:
        click.echo(nothing, err=True)
    return 0 if found else NO_PUZZLE
