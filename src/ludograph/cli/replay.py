"""``ludograph replay``: a recorded game shown again, stepped through, or drawn into a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import PICTURE_FILE, PNG_FILE, OutputFile
from ludograph.cli.program import Command, argument, complain, options, output
from ludograph.cli.shared_options import LETTERING, Lettering
from ludograph.cli.texts import safe
from ludograph.documents import write_bytes
from ludograph.games.options import Seconds, Whole
from ludograph.protocols.formats import formats, read_game

if TYPE_CHECKING:
    from ludograph.referee import Record

FRAME_SECONDS = 0.6

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
  ludograph replay game.jsonl --sgf game.sgf         a game of Hex for other programs
"""


FORMAT_OPTIONS = tuple(
    output(
        f"--{form.name}",
        type=OutputFile(form.suffix),
        help=f"Write a game of {form.game.capitalize()} for other programs.",
    )
    for form in formats()
)
"""An option for each format of other programs."""


@click.command("replay", cls=Command, epilog=EPILOG)
@argument("file", metavar="FILE")
@output("--ply", type=Whole(0, 10**9), help="Show only the position after ply N.")
@output(
    "--step",
    "by_keys",
    is_flag=True,
    help="Step through the game with keys, from the start or --ply.",
)
@output("--log", "logs", is_flag=True, help="Show only the output of the players.")
@output("--svg", type=PICTURE_FILE, help="Write a picture of the last position or of --ply.")
@output("--png", type=PNG_FILE, help="The same picture as PNG; needs ludograph[png].")
@output("--animate", type=PICTURE_FILE, help="Write a picture that plays the whole game.")
@options(LETTERING)
@options(FORMAT_OPTIONS)
@output(
    "--overlay",
    "overlays",
    metavar="NAME",
    multiple=True,
    help="Draw the analysis of players over pictures: moves, line, or an overlay that a player "
    "defines; may be repeated.",
)
@output("--delay", type=Seconds(0, 60), help="Seconds between moves, in animations too.")
def replay(
    file: str,
    *,
    ply: int | None,
    by_keys: bool,
    logs: bool,
    numbers: bool,
    names: bool,
    overlays: tuple[str, ...],
    delay: float | None,
    **files: Path | None,
) -> None:
    """Replay a recorded game, as it was shown when it was played.

    FILE was written by '--record'. A game of Hex may be an SGF file, too.
    """
    from ludograph.cli.recorded_frames import step

    written = {name: path for name, path in files.items() if path is not None}
    check_together(ply, written, by_keys=by_keys, logs=logs)
    record = read_game(file)
    if record.warning:
        complain(record.warning)
    if logs:
        show_logs(record)
        return
    if ply is not None and ply > record.plies:
        raise click.UsageError(f"--ply must be 0 to {record.plies} in this game, got {ply}")
    lettering = Lettering(numbers, names)
    if overlays:
        check_overlays(record, overlays, drawn=not PICTURES.isdisjoint(written))
    if by_keys:
        step(record, ply or 0, delay, lettering)
    elif written:
        write_files(record, written, ply, delay, lettering, overlays)
    elif ply is None:
        watch(record, delay, lettering)
    else:
        show_one(record, ply, lettering)


PICTURES = {"svg", "png", "animate"}
"""The options that draw; the other files are for other programs."""


def check_together(
    ply: int | None, written: Mapping[str, Path], *, by_keys: bool, logs: bool
) -> None:
    """Raise UsageError if options do not fit together."""
    whole = [name for name in written if name not in ("svg", "png")]
    if ply is not None and whole:
        raise click.UsageError(
            f"--{whole[0]} writes the whole game, so it cannot be used with --ply"
        )
    if by_keys and written:
        raise click.UsageError("--step shows the game, so it cannot be used with a file to write")
    if logs and (by_keys or ply is not None or written):
        raise click.UsageError("--log shows only the output of players, without other options")


def write_files(
    record: Record,
    written: Mapping[str, Path],
    ply: int | None,
    delay: float | None,
    lettering: Lettering,
    overlays: tuple[str, ...],
) -> None:
    """Write the pictures and the files for other programs that the options name."""
    from ludograph.cli.recorded_frames import at_ply, frames_of
    from ludograph.views import animation, bitmaps, svg

    made: dict[str, bytes] = {}
    if "svg" in written or "png" in written:
        ply = record.plies if ply is None else ply
        picture = svg.render(at_ply(record, ply, lettering, overlays).titled_scene())
        if "svg" in written:
            made["svg"] = picture.encode()
        if "png" in written:
            made["png"] = bitmaps.png_from_svg(picture)
    if "animate" in written:
        pause = FRAME_SECONDS if delay is None else delay
        if pause <= 0:
            raise click.UsageError("--delay must be more than 0 for --animate")
        scenes = [frame.titled_scene() for frame in frames_of(record, lettering, overlays)]
        made["animate"] = animation.render(scenes, seconds_per_frame=pause).encode()
    made |= {form.name: form.write(record).encode() for form in formats() if form.name in written}
    for name, content in made.items():
        write_bytes(written[name], content)
        click.echo(f"wrote {written[name]}")


def check_overlays(record: Record, names: tuple[str, ...], *, drawn: bool) -> None:
    """Raise UsageError if some overlays cannot be drawn."""
    from ludograph.games.analysis_info import overlays_of

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
            those = f"it has {', '.join(known)}" if known else "it has none"
            raise click.UsageError(f"--overlay: there is no {name!r} in this game; {those}")


def watch(record: Record, delay: float | None, lettering: Lettering) -> None:
    """Show the whole game, move by move."""
    from ludograph.cli.play.renderers import choose_renderer
    from ludograph.cli.recorded_frames import frames_of

    with choose_renderer(record.start, delay) as show:
        for frame in frames_of(record, lettering):
            show.show(frame)
    click.echo(safe(record.sentence))
    for line in finish_lines(record):
        click.echo(line, err=True)


def show_one(record: Record, ply: int, lettering: Lettering) -> None:
    """Show the position after a number of moves."""
    from ludograph.cli.play.frames import fits, picture, plain
    from ludograph.cli.play.renderers import colored
    from ludograph.cli.recorded_frames import at_ply
    from ludograph.cli.terminal import size

    frame = at_ply(record, ply, lettering)
    window = size()
    if sys.stdout.isatty() and fits(record.start, *window):
        click.echo("\n".join(picture(frame, *window, colored())), color=True)
    else:
        click.echo(plain(frame), nl=False)


def finish_lines(record: Record) -> list[str]:
    """Return the lines of faults at the end of the game."""
    from ludograph.referee.sentences import finish_line

    return [
        safe(finish_line(record.names[event.seat], event.seat, event.reason, event.message))
        for event in record.finish_faults
        if event.seat is not None
    ]


def show_logs(record: Record) -> None:
    """Write the players' output in a record, and their faults at the end of the game."""
    for seat, log in sorted(record.logs.items()):
        click.echo(f"--- {safe(record.names[seat])} (seat {seat}) wrote:")
        for line in log.rstrip("\n").splitlines():
            click.echo(safe(line.expandtabs()))
    if not record.logs:
        click.echo("No player has printed anything.")
    for line in finish_lines(record):
        click.echo(line)
