"""Openings: moves with which games begin, so that they differ though the board does not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games import Position
from ludograph.referee.match import check_opening

SIZE_LIMIT = 1 << 20

Moves = tuple[int, ...]


class Openings(NamedTuple):
    """A suite of openings.

    Attributes
    ----------
    name
        What it is called.
    variants
        The openings of each variant of the game, in the order in which starts take them.
    """

    name: str
    variants: tuple[tuple[Moves, ...], ...]

    def of(self, start: int) -> Moves:
        """Return the opening of a start."""
        own = self.variants[start % len(self.variants)]
        return own[start // len(self.variants) % len(own)]


def find_openings(text: str, starts: Sequence[Position]) -> Openings:
    """Return the suite that a text means: one of the game's, or a file with an opening a line.

    Parameters
    ----------
    starts
        One of each variant of the game.

    Raises
    ------
    InvalidInput
        If there is no such suite, or an opening in it cannot be played.
    """
    game = starts[0].game
    if text in game.declaration.openings:
        lists = [[(text, line) for line in game.openings(text, start)] for start in starts]
        name = text
    elif Path(text).is_file():
        lists = [_lines(Path(text))] * len(starts)
        name = Path(text).name
    else:
        known = " or ".join((*game.declaration.openings, "a file with an opening in each line"))
        raise InvalidInput(f"openings of {game.name} are {known}, got {text[:80]!r}")
    return Openings(
        name,
        tuple(
            tuple(_parsed(where, line, start) for where, line in own)
            for own, start in zip(lists, starts, strict=True)
        ),
    )


def _lines(path: Path) -> list[tuple[str, str]]:
    """Return the openings of a file, each with where it stands."""
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise InvalidInput(f"{path}: it has more than {SIZE_LIMIT} bytes")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: this is no text") from None
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    found = [(f"{path}, line {n}", line) for n, line in enumerate(lines, 1) if line]
    if not found:
        raise InvalidInput(f"{path}: there are no openings in it")
    return found


def _parsed(where: str, line: str, start: Position) -> Moves:
    board, moves = start.copy(), []
    try:
        for word in line.split():
            moves.append(board.parse(word))
            check_opening(board, moves[-1:])
            board.push(moves[-1])
    except (IllegalMove, InvalidInput) as error:
        raise InvalidInput(f"{where}: {error}") from None
    if board.is_over:
        raise InvalidInput(f"{where}: the game is over behind this opening")
    return tuple(moves)
