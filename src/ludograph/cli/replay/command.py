"""``ludograph replay``: show a recorded game again, or draw it into a file."""

from __future__ import annotations

from typing import Any

import click

from ludograph.cli.option_types import PICTURE_FILE, PNG_FILE, OutputFile
from ludograph.cli.play.options import LETTERING
from ludograph.cli.program import Command, argument, option, options
from ludograph.games.options import Seconds, Whole
from ludograph.protocols.formats import formats

EPILOG = """\
Examples:
  ludograph flood --record game.jsonl greedy random
  ludograph replay game.jsonl                        watch it
  ludograph replay game.jsonl --ply 7                one position of it
  ludograph replay game.jsonl --step                 step through it with keys
  ludograph replay game.jsonl --log                  the output of its players
  ludograph replay game.jsonl --svg end.svg          a picture of how it ended
  ludograph replay game.jsonl --svg end.svg --numbers
  ludograph replay game.jsonl --animate game.svg     a picture that plays the whole game
  ludograph replay game.jsonl --solve 30             which moves lost it
  ludograph replay game.jsonl --sgf game.sgf         a game of Hex for other programs
"""


FORMAT_OPTIONS = tuple(
    option(
        "Output",
        f"--{form.name}",
        type=OutputFile(form.suffix),
        help=f"Write a game of {form.game.capitalize()} for other programs.",
    )
    for form in formats()
)
"""An option for each format of other programs."""


@click.command("replay", cls=Command, short_help="Replay a recorded game.", epilog=EPILOG)
@argument("file", metavar="FILE")
@option("Output", "--ply", type=Whole(0, 10**9), help="Show only the position after ply N.")
@option(
    "Output",
    "--step",
    "by_keys",
    is_flag=True,
    help="Step through the game with keys, from the start or --ply.",
)
@option("Output", "--log", "logs", is_flag=True, help="Show only the output of the players.")
@option(
    "Output", "--svg", type=PICTURE_FILE, help="Write a picture of the last position or of --ply."
)
@option("Output", "--png", type=PNG_FILE, help="The same picture as PNG; needs ludograph[png].")
@option("Output", "--animate", type=PICTURE_FILE, help="Write a picture that plays the whole game.")
@options(LETTERING)
@options(FORMAT_OPTIONS)
@option(
    "Output",
    "--solve",
    "solving",
    type=Seconds(0.01, 1e6),
    help="Solve the game in this time; show the winner at each ply and the moves that lost.",
)
@option(
    "Output",
    "--overlay",
    "overlays",
    metavar="NAME",
    multiple=True,
    help="Draw the analysis of players over pictures: moves, line, or an overlay that a player "
    "defines; may be repeated.",
)
@option("Output", "--delay", type=Seconds(0, 60), help="Seconds between moves, in animations too.")
def replay(file: str, **given: Any) -> None:
    """Replay a recorded game, as it was shown when it was played.

    FILE was written by '--record'. A game of Hex may be an SGF file, too.
    """
    from ludograph.cli.replay.running import ReplayArguments, run

    exports = {form.name: given.pop(form.name) for form in formats()}
    run(file, ReplayArguments(**given, exports={n: p for n, p in exports.items() if p is not None}))
