"""A frame: a game at one moment, as a board, a line per seat and the line of the last event."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludograph.cli.shared_options import PLAIN, Lettering
from ludograph.cli.texts import bar, safe
from ludograph.games import Position
from ludograph.games.pictures import holding, score_lines, written
from ludograph.games.presentation import terms_text
from ludograph.views import Overlay, Scene, terminal
from ludograph.views import plain as renderer
from ludograph.views.columns import fit, pad, width
from ludograph.views.elements import legend

BAR = 30
NAME = 24
SMALLEST = (30, 6)
"""The least columns and lines in which a board is drawn."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a game.

    Attributes
    ----------
    names
        The players by seat.
    heading
        The game, its board, its seed.
    line
        The last event, in words.
    result
        The result in words; empty before the end.
    lettering
        The texts to write on the cells.
    thoughts
        The player's analysis of its move, in one line.
    overlays
        The player's analysis of the board, drawn over a picture in a file.
    """

    position: Position
    names: Sequence[str]
    heading: str
    line: str
    result: str = ""
    lettering: Lettering = PLAIN
    thoughts: str = ""
    overlays: tuple[Overlay, ...] = ()

    def scene(self) -> Scene:
        """Return the picture, without texts above and below it."""
        return self.lettered(self.position.game.presentation.scene(self.position))

    def lettered(self, scene: Scene) -> Scene:
        """Return a picture of the position with numbers and names on its cells."""
        lettering = self.lettering
        return written(self.position, scene, numbers=lettering.numbers, names=lettering.names)

    def titled_scene(self) -> Scene:
        """Return the picture for a file: the players above it, the last event below it."""
        scene = dataclasses.replace(self.scene(), overlays=self.overlays)
        happened = (*scene.captions, self.line, self.thoughts, *legend(scene))
        scores = score_lines(self.position, scene, self.names)
        captions = tuple(
            safe(text) for text in (*happened, *scores, self.result, self.heading) if text
        )
        return dataclasses.replace(scene, title=" against ".join(self.seated()), captions=captions)

    def seated(self) -> list[str]:
        """Return the names, with the seat where there are several."""
        names = [safe(name) for name in self.names]
        if len(names) == 1:
            return names
        return [f"{name} (seat {seat})" for seat, name in enumerate(names)]


def terms_of(position: Position, seat: int) -> str:
    """Return the terms of one seat alone, as in ``forbidden: blue, red``; empty in most games."""
    return terms_text(position.game.presentation.seat_facts(position, seat).terms)


def holdings(scene: Scene, seats: int) -> tuple[list[int], int] | None:
    """Return the size of each seat's group, and the number of cells; None without groups."""
    if scene.groups is None:
        return None
    counts = [int((scene.groups == seat).sum()) for seat in range(seats)]
    return counts, int((scene.fills >= 0).sum())


def plain(frame: Frame) -> str:
    """Return a frame as plain text: the board, then the line."""
    thoughts = f"{safe(frame.thoughts)}\n" if frame.thoughts else ""
    return f"{renderer.text(frame.scene())}\n{safe(frame.line)}\n{thoughts}"


def short(frame: Frame) -> str:
    """Return a frame in one line: the last event, and the holding of each seat."""
    position, scene = frame.position, frame.scene()
    each = (holding(position, scene, seat) for seat in range(position.seats))
    sizes = ", ".join(filter(None, each))
    line = f"{safe(frame.line)} [{sizes}]" if sizes else safe(frame.line)
    return f"{line}; {safe(frame.thoughts)}" if frame.thoughts else line


def fits(position: Position, columns: int, lines: int) -> bool:
    """Tell whether a terminal of this size can show a board with distinct cells."""
    height = lines - position.seats - 4
    enough = columns >= SMALLEST[0] and height >= SMALLEST[1]
    return enough and position.board.n <= 2 * columns * height


def picture(
    frame: Frame,
    columns: int,
    lines: int,
    color: bool,
    *,
    marked: Scene | None = None,
    around: Mapping[int, str] | None = None,
) -> list[str]:
    """Return a frame as lines for a terminal of this size.

    Parameters
    ----------
    marked
        A picture of the board with colored marks, to draw instead of the frame's.
    around
        Marks around cells, for a board without colors.
    """
    scene = frame.scene()
    below = seat_lines(frame, scene, columns, color)
    if frame.thoughts:
        below = [*below, fit(safe(frame.thoughts), columns)]
    height = lines - len(below) - 3
    drawn = terminal.render(
        marked or scene, width=columns, height=height, color=color, around=around
    )
    board = drawn.split("\n")
    if around is not None and not color:
        board = window(board, columns, height)
    heading = fit(safe(frame.heading), columns)
    last = fit(safe(frame.line), columns)
    return [_bold(heading, color), *board, "", *below, last]


def window(board: list[str], columns: int, lines: int) -> list[str]:
    """Return the part of a board in plain text that fits, with the cursor in it."""
    place = ((row, line.index("[")) for row, line in enumerate(board) if "[" in line)
    row, column = next(place, (len(board) // 2, columns // 2))
    top = max(0, min(row - lines // 2, len(board) - lines))
    left = 0 if column + 3 < columns else column - columns // 2
    return [line[left : left + columns] for line in board[top : top + lines]]


def seat_lines(frame: Frame, scene: Scene, columns: int, color: bool) -> list[str]:
    """Return a line per seat: whose turn it is, the name, a bar in the seat's color, a number."""
    held = holdings(scene, len(frame.names))
    names = [safe(name) for name in frame.names]
    space = min(max(width(name) for name in names), NAME)
    lines = []
    for seat, name in enumerate(names):
        mark = "▸" if frame.position.turn == seat else " "
        text = f"{mark}{seat} {pad(name, space)}"
        if held is None:
            facts = frame.position.game.presentation.seat_facts(frame.position, seat)
            texts = filter(None, (facts.color, facts.holding, terms_text(facts.terms)))
            lines.append(fit(", ".join((text.rstrip(), *texts)), columns))
            continue
        counts, total = held
        text += f"  {counts[seat]:>{len(str(total))}} "
        drawn = bar(counts[seat] / max(total, 1), min(BAR, max(0, columns - width(text))))
        rgb = _color_of(scene, seat)
        terms = terms_of(frame.position, seat)
        terms = fit(f"  {terms}", columns - width(text + drawn)) if terms else ""
        lines.append(text + (terminal.tinted(drawn, rgb, color=color) if rgb else drawn) + terms)
    return lines


def _color_of(scene: Scene, seat: int) -> str | None:
    """Return the color of a seat's cells; None if they have several."""
    if scene.groups is None:
        return None
    cells = scene.in_cells
    fills = set(cells.fills[scene.groups == seat].tolist())
    return cells.palette[fills.pop()].rgb if len(fills) == 1 else None


def _bold(text: str, color: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if color else text
