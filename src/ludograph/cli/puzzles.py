"""``ludograph puzzles``: positions of recorded games in which exactly one move wins."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from ludograph.cli.program import Command, argument, option
from ludograph.games.options import Seconds

NO_PUZZLE = 1
"""The exit code where no game has a puzzle."""

EPILOG = """\
Examples:
  ludograph hex --size 6 --record game.jsonl mcts mcts
  ludograph puzzles game.jsonl             what is there to find?
  ludograph puzzles --time 60 *.jsonl      look longer, into many games
  ludograph puzzles --json game.jsonl      an object a line

The exit code is 1 where no game has a puzzle.
"""


@click.command("puzzles", cls=Command, short_help="Find puzzles in recorded games.", epilog=EPILOG)
@argument("files", metavar="FILE...", nargs=-1, required=True)
@option(
    "Search",
    "--time",
    "limit",
    type=Seconds(0.1, 1e6),
    help="Seconds per game at most (default: 20).",
)
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object a line.")
def puzzles(files: Sequence[str], limit: float | None, *, as_json: bool) -> int:
    """Find positions in which exactly one move wins, as a solver proves.

    The answers follow the puzzles.
    """
    from ludograph.analysis.puzzles import Puzzle, find_puzzles
    from ludograph.cli.progress import waiting
    from ludograph.cli.texts import safe
    from ludograph.protocols.formats import read_game
    from ludograph.views import plain

    found: list[tuple[str, Puzzle]] = []
    for file in files:
        record = read_game(file)
        with waiting(f"{safe(file)}: searching", shown=not as_json):
            found += [(file, each) for each in find_puzzles(record, limit or 20.0)]
    for number, (file, puzzle) in enumerate(found, 1):
        position = puzzle.position
        if as_json:
            data = {"file": file, "ply": puzzle.ply, "seat": position.turn}
            data |= {"move": puzzle.line[0], "line": puzzle.line, "question": puzzle.question}
            click.echo(json.dumps(data, ensure_ascii=False))
            continue
        click.echo(f"{number}. {safe(file)} after {puzzle.ply} moves\n")
        click.echo(f"{plain.text(position.scene())}\n\n{puzzle.question}\n")
    if found and not as_json:
        click.echo("Answers")
        for number, (_, puzzle) in enumerate(found, 1):
            click.echo(f"{number}. {' '.join(puzzle.line)}")
    elif not found:
        click.echo("There is no puzzle in these games.", err=True)
    return 0 if found else NO_PUZZLE
