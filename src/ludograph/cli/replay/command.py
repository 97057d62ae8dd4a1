"""``ludograph replay``: show a recorded game again, or draw it into a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import PICTURE_FILE, PNG_FILE, OutputFile
from ludograph.cli.play.options import LETTERING
from ludograph.cli.program import Command, argument, complain, option
from ludograph.games.options import Seconds, Whole
from ludograph.protocols.formats import FORMATS, read_game

if TYPE_CHECKING:
    from ludograph.cli.player_output import Lettering
    from ludograph.referee import Record

EPILOG = """\
Examples:
  ludograph flood --record game.jsonl greedy random
  ludograph replay game.jsonl                        watch it
  ludograph replay game.jsonl --ply 7                one position of it
  ludograph replay game.jsonl --step                 go through it by keys
  ludograph replay game.jsonl --log                  what its players printed
  ludograph replay game.jsonl --svg end.svg          a picture of how it ended
  ludograph replay game.jsonl --svg end.svg --numbers
  ludograph replay game.jsonl --animate game.svg     a picture that plays the whole game
  ludograph replay game.jsonl --solve 30             which moves lost it
  ludograph replay game.jsonl --sgf game.sgf         a game of Hex for other programs
"""

FRAME_SECONDS = 0.6


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each format of other programs."""
    for form in reversed(FORMATS):
        kind = OutputFile(form.suffix)
        command = option("Output", f"--{form.name}", type=kind, help=form.help)(command)
    return command


def lettering_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of what is written on cells."""
    for add in reversed(LETTERING):
        command = add(command)
    return command


@click.command("replay", cls=Command, short_help="Show a recorded game again.", epilog=EPILOG)
@argument("file", metavar="FILE")
@option("Output", "--ply", type=Whole(0, 10**9), help="Only the position after so many moves.")
@option("Output", "--step", "by_keys", is_flag=True, help="Go on and back by keys, from --ply on.")
@option("Output", "--log", "logs", is_flag=True, help="Only what the players printed.")
@option("Output", "--svg", type=PICTURE_FILE, help="Write a picture of the last position, or ply.")
@option("Output", "--png", type=PNG_FILE, help="The same picture as PNG; needs ludograph[png].")
@option("Output", "--animate", type=PICTURE_FILE, help="Write a picture that plays the whole game.")
@lettering_options
@format_options
@option(
    "Output",
    "--solve",
    "solving",
    type=Seconds(0.01, 1e6),
    help="Solve it for so many seconds: who wins at each ply, which moves lost.",
)
@option(
    "Output",
    "--overlay",
    "overlays",
    metavar="NAME",
    multiple=True,
    help="Lay over pictures what players thought: moves, line, or their own; may be repeated.",
)
@option("Output", "--delay", type=Seconds(0, 60), help="Pause between moves, in the picture too.")
def replay(
    file: str,
    ply: int | None,
    by_keys: bool,
    logs: bool,
    svg: Path | None,
    png: Path | None,
    animate: Path | None,
    delay: float | None,
    numbers: bool,
    names: bool,
    overlays: tuple[str, ...],
    solving: float | None,
    **formats: Path | None,
) -> None:
    """Show a game that '--record FILE' has kept, as it was shown then; of Hex, an SGF file too."""
    from ludograph.cli.replay.frames import finish_lines, frames_of

    if ply is not None and animate is not None:
        raise click.UsageError("--animate draws the whole game, so it cannot be used with --ply")
    exports = {name: path for name, path in formats.items() if path is not None}
    if exports and ply is not None:
        name = next(iter(exports))
        raise click.UsageError(f"--{name} writes the whole game, so it cannot be used with --ply")
    if by_keys and (svg or png or animate or exports):
        raise click.UsageError("--step shows the game, so it cannot be used with a file to write")
    if logs and (by_keys or ply is not None or svg or animate or exports):
        raise click.UsageError("--log shows what players printed, so it stands alone")
    record = read_game(file)
    if record.warning:
        complain(record.warning)
    if logs:
        from ludograph.cli.player_output import show_logs

        show_logs(record.names, record.logs)
        for line in finish_lines(record):
            click.echo(line)
        return
    if ply is not None and ply > record.plies:
        raise click.UsageError(f"--ply must be 0 to {record.plies} in this game, got {ply}")
    if solving is not None:
        solve(record, solving)
    from ludograph.cli.player_output import Lettering

    lettering = Lettering(numbers=numbers, names=names)
    if overlays:
        check_overlays(record, overlays, drawn=bool(svg or png or animate))
    if by_keys:
        from ludograph.cli.replay.stepper import step

        step(record, lambda: frames_of(record), ply or 0, delay, lettering)
        return
    if svg is not None or png is not None:
        draw(record, svg, png, ply, lettering, overlays)
    if animate is not None:
        draw_all(record, animate, FRAME_SECONDS if delay is None else delay, lettering, overlays)
    for form in FORMATS:
        if form.name in exports:
            write(exports[form.name], form.write(record))
    if svg is None and png is None and animate is None and not exports:
        if ply is None:
            watch(record, delay, lettering)
        else:
            show_one(record, ply, lettering)


def solve(record: Record, limit: float) -> None:
    """Note in a game what is proven of its moves."""
    from ludograph.analysis.proofs import prove
    from ludograph.cli.progress import waiting

    text = f"searching, at most {limit:g} s"
    with waiting(text, shown=True) as say:
        proof = prove(record, limit, lambda done: say(f"{text}; {done}"))
    verdicts = {move.ply: move.verdict for move in proof.moves}
    ply = 0
    for event in record.events:
        ply += event.move is not None
        event.verdict = verdicts.get(ply, "") if event.seat is not None else ""


def check_overlays(record: Record, names: tuple[str, ...], *, drawn: bool) -> None:
    """Raise UsageError if some overlays cannot be drawn."""
    from ludograph.games.thoughts import overlays_of

    if not drawn:
        raise click.UsageError("--overlay is drawn: add --svg, --png or --animate")
    known: dict[str, None] = {}
    before = record.start.copy()
    for position, event in record.positions():
        if event is not None and event.thoughts is not None:
            known.update(dict.fromkeys(overlays_of(event.thoughts, before)))
        before = position.copy()
    for name in names:
        if name not in known:
            told = f"its players told {', '.join(known)}" if known else "its players told none"
            raise click.UsageError(f"--overlay: there is no {name!r} in this game, {told}")


def watch(record: Record, delay: float | None, lettering: Lettering) -> None:
    """Show the game as it went."""
    from ludograph.cli.play.renderers import choose_renderer
    from ludograph.cli.replay.frames import finish_lines, frames_of
    from ludograph.cli.texts import safe

    with choose_renderer(record.start, delay) as show:
        for frame in frames_of(record, lettering):
            show.show(frame)
    click.echo(safe(record.sentence))
    for line in finish_lines(record):
        click.echo(line, err=True)


def show_one(record: Record, ply: int, lettering: Lettering) -> None:
    """Show the position after a number of moves."""
    from ludograph.cli.play import frames
    from ludograph.cli.replay.frames import at_ply
    from ludograph.cli.terminal.screen import Screen
    from ludograph.views.ansi import Colors, colors_of

    frame = at_ply(record, ply, lettering)
    size = Screen.size()
    if sys.stdout.isatty() and frames.fits(record.start, *size):
        color = colors_of(sys.stdout) is not Colors.NONE
        click.echo("\n".join(frames.picture(frame, *size, color)), color=True)
    else:
        click.echo(frames.plain(frame), nl=False)


def draw(
    record: Record,
    svg_file: Path | None,
    png_file: Path | None,
    ply: int | None,
    lettering: Lettering,
    overlays: tuple[str, ...],
) -> None:
    """Write a picture of one position, as SVG, as PNG or both."""
    from ludograph.cli.replay.frames import at_ply
    from ludograph.views import bitmaps, svg

    frame = at_ply(record, record.plies if ply is None else ply, lettering, overlays)
    picture = svg.render(frame.titled_scene())
    if svg_file is not None:
        write(svg_file, picture)
    if png_file is not None:
        from ludograph.documents import write_bytes

        write_bytes(png_file, bitmaps.png_from_svg(picture))
        click.echo(f"wrote {png_file}")


def draw_all(
    record: Record, path: Path, pause: float, lettering: Lettering, overlays: tuple[str, ...]
) -> None:
    """Write a picture that plays the game."""
    from ludograph.cli.replay.frames import frames_of
    from ludograph.views import animation

    if pause <= 0:
        raise click.UsageError("--delay must be more than 0 for --animate")
    scenes = [frame.titled_scene() for frame in frames_of(record, lettering, overlays)]
    write(path, animation.render(scenes, seconds_per_frame=pause))


def write(path: Path, text: str) -> None:
    """Write a file and say so."""
    from ludograph.documents import write_bytes

    write_bytes(path, text.encode())
    click.echo(f"wrote {path}")
