"""``ludograph puzzles``: positions in which exactly one move wins, of recorded or random games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import chosen, games_group, new_game
from ludograph.cli.option_types import SEED
from ludograph.cli.program import DefaultGroup, argument, option, output
from ludograph.cli.progress import waiting
from ludograph.cli.texts import safe, show_json
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Seconds, Whole

if TYPE_CHECKING:
    from ludograph.analysis.puzzles import Puzzle

NO_PUZZLE = 1
"""The exit code if no puzzle is found."""

FIND_EXAMPLES = """\
Examples:
  ludograph hex --size 6 --record game.jsonl mcts mcts
  ludograph puzzles game.jsonl             show the puzzles of this game
  ludograph puzzles --time 60 *.jsonl      search many games, for longer
  ludograph puzzles --json game.jsonl      one JSON object per line
"""

MAKE_EXAMPLE = "  ludograph puzzles make {name} --count 3 --seed 1   make three from random games\n"

LINES = output("--json", "as_json", is_flag=True, help="Write one JSON object per line.")


@click.group(
    "puzzles",
    cls=DefaultGroup,
    options_metavar="",
    subcommand_metavar="[COMMAND] ...",
    epilog=f"{FIND_EXAMPLES}{MAKE_EXAMPLE.format(name='hex')}",
)
def puzzles() -> None:
    """Find puzzles in recorded games, or make some: exactly one move wins.

    A solver proves each puzzle. The answers are written below the puzzles. The exit code is 1 if no
    puzzle is found. Without the name of a command, 'ludograph puzzles' finds puzzles in files.
    """


@puzzles.command("find", epilog=FIND_EXAMPLES)
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option("Search", "--time", "limit", type=Seconds(0.1, 1e6), default=20.0, help="Seconds per game.")
@LINES
def find(files: Sequence[str], limit: float, *, as_json: bool) -> int:
    """Find positions of recorded games in which exactly one move wins."""
    from ludograph.analysis.puzzles import find_puzzles
    from ludograph.protocols.formats import read_game

    found: list[tuple[str, dict[str, Any], Puzzle]] = []
    for file in files:
        record = read_game(file)
        with waiting(f"{safe(file)}: searching", shown=not as_json):
            found += [
                (f"{safe(file)} after {each.ply} moves", {"file": file}, each)
                for each in find_puzzles(record, limit)
            ]
    return show(found, "There is no puzzle in these games.", as_json=as_json)


@games_group(
    "make",
    (
        option("Search", "--count", type=Whole(1, 1000), default=3, help="Number of puzzles."),
        option(
            "Search",
            "--time",
            "limit",
            type=Seconds(0.1, 1e6),
            default=60.0,
            help="Seconds for all puzzles.",
        ),
        option("Search", "--seed", type=SEED, help="Seed of the random games (default: drawn)."),
        LINES,
    ),
    about="Make puzzles from random games of {game}.",
    examples=MAKE_EXAMPLE,
    no_players="no players are needed",
    takes=lambda game: game.solving is not None,
    lacks="has no solver",
    defaults=lambda game: game.solving,
)
def make(
    game: Declaration, given: Values, *, count: int, limit: float, seed: int | None, as_json: bool
) -> int:
    """Make puzzles from random games of a game that can be solved."""
    from ludograph.analysis.advice import texts_of_line
    from ludograph.analysis.puzzles import make_puzzles

    start, details, data = new_game(game, chosen(game, given, game.solving), 2, seed)
    options = {name: plain_value(value) for name, value in given.items()}
    found: list[tuple[str, dict[str, Any], Puzzle]] = []
    with waiting(f"{count} puzzles: searching", shown=not as_json) as say:
        for each in make_puzzles(start, count, limit, data["seed"]):
            moves = list(texts_of_line(start, each.position.history))
            about = {"game": game.name, "options": options, "seed": data["seed"], "moves": moves}
            shown = f"{game.name}, {', '.join(details)}, after {' '.join(moves)}"
            found.append((shown, about, each))
            say(f"{len(found)} of {count} puzzles: searching")
    nothing = "No puzzle was found; a smaller board or more --time may give some."
    return show(found, nothing, as_json=as_json)


puzzles.add_command(make)


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
            show_json(data)
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
