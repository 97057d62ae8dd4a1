"""Moves of Penguins as text: a placement is a tile, ``17``; a move is two tiles, ``12-17``.

If two lines lead from one tile to another, as on a torus, the later ones (in the order of the
sides) have numbers: ``12-17/2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludograph.errors import IllegalMove
from ludograph.games.penguins.setup import PenguinsSetup

_MOVE = re.compile(r"(0|[1-9][0-9]{0,8})(?:-(0|[1-9][0-9]{0,8})(?:/([2-9]|[1-9][0-9]{1,8}))?)?")


def move_text(setup: PenguinsSetup, move: int) -> str:
    """Return the text of a placement or a move.

    Raises
    ------
    IllegalMove
        If no penguin can be placed on the tile, or no line has the target.
    """
    n = setup.fish.size
    if 0 <= move < n:
        check_placement(setup, move)
        return str(move)
    slot = (move - n) >> setup.shift
    if 0 <= slot < setup.tiles.size:
        source = int(setup.tiles[slot])
        targets = dict(slides(setup, source))
        if move in targets:
            same = [code for code, tile in targets.items() if tile == targets[move]]
            way = same.index(move) + 1
            return f"{source}-{targets[move]}" + (f"/{way}" if way > 1 else "")
    raise IllegalMove(f"penguins: no move has the code {move}")


def parse_move(setup: PenguinsSetup, text: str) -> int:
    """Return the code of a placement or a move; outer blanks are ignored.

    Raises
    ------
    IllegalMove
        If the text is no move, no penguin can be placed there, or no line leads there.
    """
    found = _MOVE.fullmatch(text.strip())
    if not found:
        raise IllegalMove(
            f"penguins: {text[:40]!r} is not a move; write a tile to place a penguin, as in "
            "17, and two tiles to move it, as in 12-17"
        )
    source, target = int(found[1]), None if found[2] is None else int(found[2])
    for tile in (source, target):
        if tile is not None and tile >= setup.fish.size:
            raise IllegalMove(
                f"penguins: there is no tile {tile}, the board has {setup.fish.size} tiles"
            )
    if target is None:
        check_placement(setup, source)
        return source
    codes = [code for code, tile in slides(setup, source) if tile == target]
    way = int(found[3] or 1)
    if len(codes) < way:
        ordinal = f" number {way}" if way > 1 else ""
        raise IllegalMove(f"penguins: no straight line{ordinal} leads from {source} to {target}")
    return codes[way - 1]


def check_placement(setup: PenguinsSetup, tile: int) -> None:
    """Raise IllegalMove unless a tile has one fish."""
    if setup.fish[tile] != 1:
        raise IllegalMove(
            f"penguins: tile {tile} has {setup.fish[tile]} fish; "
            "penguins are placed on tiles with one"
        )


def path_of(setup: PenguinsSetup, move: int) -> list[int]:
    """Return the tiles of a move, from its source to its target; a placement has one tile."""
    n = setup.fish.size
    if move < n:
        return [move]
    slot, steps = divmod(move - n, 1 << setup.shift)
    way = int(setup.ways[slot])
    return [int(setup.tiles[slot]), *setup.along[way : way + steps + 1].tolist()]


def slides(setup: PenguinsSetup, source: int) -> Iterator[tuple[int, int]]:
    """Yield the code and the target of every slide from a tile on the empty board."""
    n = setup.fish.size
    for slot in range(int(setup.offsets[source]), int(setup.offsets[source + 1])):
        way, steps = int(setup.ways[slot]), 0
        tile = int(setup.along[way])
        while tile not in (n, source):
            yield n + (slot << setup.shift) + steps, tile
            steps += 1
            tile = int(setup.along[way + steps])
