"""A recorded game shown in the terminal, drawn as pictures, written for other programs."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from ludograph.cli.play import frames
from ludograph.cli.play.frames import Frame
from ludograph.cli.play.match import move_line, start_line
from ludograph.cli.play.options import PLAIN, Lettering
from ludograph.cli.play.renderers import choose_renderer
from ludograph.cli.player_output import show_logs
from ludograph.cli.program import complain
from ludograph.cli.progress import waiting
from ludograph.cli.replay.stepper import step
from ludograph.cli.terminal.screen import Screen
from ludograph.cli.texts import safe
from ludograph.documents import write_bytes
from ludograph.games import Position
from ludograph.games.analysis_info import AnalysisInfo, overlays_of, sentence
from ludograph.protocols.formats import formats, read_game
from ludograph.referee import Record
from ludograph.referee.record import Event
from ludograph.referee.sentences import drop_line, finish_line
from ludograph.views import Overlay, animation, bitmaps, svg
from ludograph.views.ansi import Colors, colors_of

FRAME_SECONDS = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayArguments:
    """The options of the command.

    Attributes
    ----------
    exports
        Files of other programs to write, by the names of their formats.
    """

    ply: int | None
    by_keys: bool
    logs: bool
    svg: Path | None
    png: Path | None
    animate: Path | None
    numbers: bool
    names: bool
    solving: float | None
    overlays: tuple[str, ...]
    delay: float | None
    exports: dict[str, Path]

    @property
    def lettering(self) -> Lettering:
        """The texts to write on cells."""
        return Lettering(numbers=self.numbers, names=self.names)

    @property
    def draws(self) -> bool:
        """Whether a picture is written."""
        return self.svg is not None or self.png is not None or self.animate is not None

    def check(self) -> None:
        """Raise UsageError if options do not fit together."""
        if self.ply is not None and self.animate is not None:
            raise click.UsageError(
                "--animate draws the whole game, so it cannot be used with --ply"
            )
        if self.exports and self.ply is not None:
            name = next(iter(self.exports))
            raise click.UsageError(
                f"--{name} writes the whole game, so it cannot be used with --ply"
            )
        if self.by_keys and (self.draws or self.exports):
            raise click.UsageError(
                "--step shows the game, so it cannot be used with a file to write"
            )
        if self.logs and (
            self.by_keys or self.ply is not None or self.svg or self.animate or self.exports
        ):
            raise click.UsageError("--log shows only the output of players, without other options")


def run(file: str, arguments: ReplayArguments) -> None:
    """Check the options together, then show the game of a file."""
    arguments.check()
    record = read_game(file)
    if record.warning:
        complain(record.warning)
    if arguments.logs:
        show_logs(record.names, record.logs)
        for line in finish_lines(record):
            click.echo(line)
        return
    if arguments.ply is not None and arguments.ply > record.plies:
        raise click.UsageError(
            f"--ply must be 0 to {record.plies} in this game, got {arguments.ply}"
        )
    if arguments.solving is not None:
        solve(record, arguments.solving)
    lettering = arguments.lettering
    if arguments.overlays:
        check_overlays(record, arguments.overlays, drawn=arguments.draws)
    if arguments.by_keys:
        step(record, lambda: frames_of(record), arguments.ply or 0, arguments.delay, lettering)
    elif arguments.draws or arguments.exports:
        write_files(record, arguments)
    elif arguments.ply is None:
        watch(record, arguments.delay, lettering)
    else:
        show_one(record, arguments.ply, lettering)


def write_files(record: Record, arguments: ReplayArguments) -> None:
    """Write the pictures and the files for other programs that the options name."""
    lettering, overlays = arguments.lettering, arguments.overlays
    if arguments.svg is not None or arguments.png is not None:
        ply = record.plies if arguments.ply is None else arguments.ply
        picture = svg.render(at_ply(record, ply, lettering, overlays).titled_scene())
        if arguments.svg is not None:
            write(arguments.svg, picture.encode())
        if arguments.png is not None:
            write(arguments.png, bitmaps.png_from_svg(picture))
    if arguments.animate is not None:
        pause = FRAME_SECONDS if arguments.delay is None else arguments.delay
        if pause <= 0:
            raise click.UsageError("--delay must be more than 0 for --animate")
        scenes = [frame.titled_scene() for frame in frames_of(record, lettering, overlays)]
        write(arguments.animate, animation.render(scenes, seconds_per_frame=pause).encode())
    for form in formats():
        if form.name in arguments.exports:
            write(arguments.exports[form.name], form.write(record).encode())


def solve(record: Record, limit: float) -> None:
    """Write the proven value of each move into the events of a record."""
    from ludograph.analysis.proofs import prove  # noqa: PLC0415  (few replays need it)

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
    with choose_renderer(record.start, delay) as show:
        for frame in frames_of(record, lettering):
            show.show(frame)
    click.echo(safe(record.sentence))
    for line in finish_lines(record):
        click.echo(line, err=True)


def show_one(record: Record, ply: int, lettering: Lettering) -> None:
    """Show the position after a number of moves."""
    frame = at_ply(record, ply, lettering)
    size = Screen.size()
    if sys.stdout.isatty() and frames.fits(record.start, *size):
        color = colors_of(sys.stdout) is not Colors.NONE
        click.echo("\n".join(frames.picture(frame, *size, color)), color=True)
    else:
        click.echo(frames.plain(frame), nl=False)


def write(path: Path, data: bytes) -> None:
    """Write a file, and a line about it."""
    write_bytes(path, data)
    click.echo(f"wrote {path}")


def frames_of(
    record: Record, lettering: Lettering | None = None, overlays: tuple[str, ...] = ()
) -> Iterator[Frame]:
    """Yield a frame for the start and one for each event, all on one board that changes.

    Parameters
    ----------
    overlays
        Names of overlays from the players' analysis, to draw over the position after the move.
    """
    names = record.names
    heading = record.start.title()
    last, opening = len(record.events), len(record.opening)
    before: Position | None = None
    for number, (position, event) in enumerate(record.positions()):
        line = start_line(position, names) if event is None else event_line(position, event, names)
        line += " (opening)" if 0 < number <= opening else ""
        result = record.sentence if number == last else ""
        frame = Frame(position, names, heading, line, result, lettering or PLAIN)
        if event is not None and event.thoughts is not None:
            frame = dataclasses.replace(
                frame,
                thoughts=sentence(event.thoughts),
                overlays=wanted(event.thoughts, before, overlays) if before is not None else (),
            )
        yield frame
        before = position.copy() if overlays else None


def wanted(thoughts: AnalysisInfo, before: Position, names: tuple[str, ...]) -> tuple[Overlay, ...]:
    """Return the overlays of a player that have these names."""
    found = overlays_of(thoughts, before)
    return tuple(found[name] for name in names if name in found)


def event_line(position: Position, event: Event, names: list[str]) -> str:
    """Return the line of an event; ``position`` is the one after it."""
    if event.move is not None:
        line = move_line(position, event.seat, event.move, names)
        return f"{line}; {event.verdict}" if event.verdict else line

    seat = event.drop or 0
    line = drop_line(names[seat], seat, event.reason or "", event.message or "")
    return f"ply {position.ply}: {line}"


def finish_lines(record: Record) -> list[str]:
    """Return the lines of faults at the end of the game."""
    return [
        safe(finish_line(record.names[event.seat], event.seat, event.reason, event.message))
        for event in record.finish_faults
        if event.seat is not None
    ]


def at_ply(record: Record, ply: int, lettering: Lettering, overlays: tuple[str, ...] = ()) -> Frame:
    """Return the last frame after this number of moves, with a position of its own."""
    copies = [
        dataclasses.replace(frame, position=frame.position.copy())
        for frame in frames_of(record, lettering, overlays)
        if frame.position.ply == ply
    ]
    return copies[-1]
