"""Nim as a game with notation, picture and records."""

from __future__ import annotations

import re

import numpy as np

from ludograph import boards
from ludograph.errors import IllegalMove
from ludograph.games import Declaration, Game, Position
from ludograph.games.declaration import Help
from ludograph.games.options import Numbers, Option, Whole
from ludograph.games.presentation import Presentation
from ludograph.games.searching import GENERIC
from ludograph.views import Scene, Swatch
from tests.toys.nim import HEAPS, Nim, nim

DECLARATION = Declaration(
    name="nim",
    summary="take the last object",
    home="tests.toys.nim_game:nim_game",
    options=(
        Option("heaps", Numbers("as many as there are heaps"), "3,2", "objects in each"),
        Option("most", Whole(1, 9), 3, "objects that a move may take"),
    ),
    help=Help("", ""),
)
PALETTE = (Swatch("empty", "#dddddd", "."), Swatch("full", "#2266cc", "o"))


class NimPresentation(Presentation[Position]):
    def scene(self, position):
        board = position.board
        heaps = position.state[HEAPS:]
        return Scene(
            positions=board.positions,
            outline_offsets=board.outline_offsets,
            outline_points=board.outline_points,
            fills=np.minimum(heaps, 1),
            palette=PALETTE,
            labels={heap: str(left) for heap, left in enumerate(heaps.tolist())},
        )


class NimGame(Game[Position]):
    declaration = DECLARATION
    version = 1
    setup_type = Nim
    strategies = GENERIC
    presentation = NimPresentation()

    def begin(self, values, seats, seed):
        heaps = len(values["heaps"])
        board = boards.from_edges(heaps, [(heap, heap + 1) for heap in range(heaps - 1)])
        return Position(self, board, nim(values["heaps"], values["most"]))

    def values_of(self, position):
        return {"heaps": position.setup.heaps, "most": position.setup.most}

    def move_text(self, setup, move):
        if not 0 <= move < setup.heaps.size * setup.most:
            raise IllegalMove(f"nim: no move {move}")
        return f"{move // setup.most}-{move % setup.most + 1}"

    def parse_move(self, setup, text):
        found = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", text, re.ASCII)
        if not found or not 1 <= int(found[2]) <= setup.most:
            raise IllegalMove(f"nim: {text!r:.40} is not a move")
        move = int(found[1]) * setup.most + int(found[2]) - 1
        self.move_text(setup, move)
        return move


nim_game = NimGame()
