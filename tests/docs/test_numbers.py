"""Numbers in the documents that are constants of the code agree with it."""

from pathlib import Path

import pytest

from ludograph.arena import playing
from ludograph.arena.ladder import suspension
from ludograph.boards import board, files, layout
from ludograph.cli import why
from ludograph.games import analysis_info, analysis_info_validation
from ludograph.games.amazons import options as amazons
from ludograph.games.carcassonne import evaluation as meeples
from ludograph.games.flood import options as flood
from ludograph.games.hex import options as hex_options
from ludograph.games.hex.solving import background as hex_solver
from ludograph.games.penguins import options as penguins
from ludograph.hosting import foreign_player, host, player_kernels, program_host, turn_time
from ludograph.hosting.sandbox import mounts, privileges
from ludograph.players import isolation
from ludograph.protocols import htp
from ludograph.referee import record_reader
from ludograph.search import pacing
from ludograph.search.mcts import background_solver, options
from ludograph.web.ladder import uploads
from ludograph.web.positions import wording
from ludograph.web.server import limits

ROOT = Path(__file__).resolve().parent.parent.parent
WORDS = {
    0.25: "a quarter",
    0.5: "half",
    0.75: "three quarters",
    2: "two",
    3: "three",
    4: "four",
    8: "eight",
}
MIB, KIB = 1 << 20, 1 << 10


def word(number: float) -> str:
    """Return a number as sentences have it."""
    return WORDS[number]


SAID = {
    "amazons.md": {"A board can have up to {} tiles": amazons.MOST_TILES},
    "boards.md": {
        "at most {:,} vertices": board.MAX_VERTICES,
        "Flood {:,},": flood.MOST_VERTICES,
        "({} cells in a row)": hex_options.WIDEST,
        "Hex {:,}": (hex_options.WIDEST + 2) ** 2,
        "Penguins {:,}": penguins.MOST_TILES,
        "Amazons {:,}": amazons.MOST_TILES,
        "Planar graphs of up to {} vertices": layout.SMALL,
        "Files above {} GiB": files.MAX_BYTES >> 30,
    },
    "carcassonne.md": {
        "This chance is {:g} for each open side": meeples.OPEN_SIDE,
        "times r / (r + {:g}) if r tiles": meeples.HALF_CHANCE,
        "adds {:g} points, times r": meeples.MEEPLE_VALUE,
    },
    "guarantees.md": {
        "a clock of its own: {:g} seconds": foreign_player.START_SECONDS,
        "At most {:g} seconds are granted": turn_time.GRANTED,
        "or {} times what the move has": word(turn_time.TIMES),
        "looked at {:g} times a second while it thinks": 1 / turn_time.SLICE,
        "{} times in a short turn": word(turn_time.SLICES),
        "every {} milliseconds when it is late": word(1000 * turn_time.STEP),
        "plays it again, up to {} times": word(playing.TRIES),
        "more than {} open files": privileges.FILES,
        "| {} MiB in memory": mounts.SCRATCH_BYTES // MIB,
        "`/dev/shm`, {} MiB each": mounts.SCRATCH_BYTES // MIB,
        "({} MiB at most)": player_kernels.PLAYER_BYTES // MIB,
        "may hold {} GiB of memory": isolation.MEMORY >> 30,
        "A header has at most {} MiB": record_reader.HEADER_LIMIT // MIB,
        "any other line at most {} MiB": record_reader.LINE_LIMIT // MIB,
    },
    "hex.md": {
        "the two take {} turns each": word(pacing.ROUNDS),
        "Up to {} the solver gets": background_solver.NEAR,
        "the solver gets {} of the time": word(background_solver.SHARE),
        "and above {} nothing": background_solver.FAR,
        "one node for every {:g} simulations": hex_solver.SIMULATIONS_PER_NODE
        * (1 - background_solver.SHARE)
        / background_solver.SHARE,
    },
    "ladder.md": {"after {} of them in a row": suspension.VOID_LIMIT},
    "pages.md": {
        "A client has {:g} seconds for the head": limits.HEAD_SECONDS,
        "{:g} seconds and one more for each": limits.BODY_SECONDS,
        "one more for each {} KiB for a body": limits.BODY_RATE // KIB,
        "and {:g} seconds to read an answer": limits.READ_SECONDS,
        "At most {} connections are open": limits.CONNECTIONS,
        "A name has at most {} letters": wording.LONGEST,
        "compiles for more than {:g} seconds": uploads.CHECK_SECONDS,
        "a name of up to {} characters": limits.BOARD_NAME,
        "up to {} cells": limits.EDITED_VERTICES,
        "and {} edges": limits.EDITED_EDGES,
        "and {} open pages of matches": limits.ADDRESS_LISTENS,
    },
    "programs.md": {
        "after its first {} bytes": htp.LONGEST,
        "has more than {} kB": program_host.LINE_LIMIT // KIB,
        "a line of more than {} bytes": program_host.LINE_LIMIT,
        "of {} bytes with its analysis": program_host.LONGEST,
        "More than {} KiB of it": host.THOUGHTS_LIMIT // KIB,
        "(default: {:g} seconds, more on big boards)": foreign_player.START_SECONDS,
        "has {:g} seconds to end": program_host.QUIT_SECONDS,
        "files of up to {} MiB": limits.PLAYER // MIB,
    },
    "service.md": {"players have up to {} MiB": limits.PLAYER // MIB},
    "cookbook.md": {
        "at most {} of that thread's time": word(background_solver.SHARE),
        "room for {} million nodes": word(options.NODES >> 20),
    },
    "why.md": {
        "seconds for each position (default: {:g})": why.TIME,
        "for the whole game (default: {:g})": why.TOTAL,
    },
    "writing-a-player.md": {
        "{:,} moves, ": analysis_info.MOST_MOVES,
        "{:,} cells": analysis_info_validation.MOST_CELLS,
        "another process, {} KiB": host.THOUGHTS_LIMIT // KIB,
    },
}
"""What each page says, with a place for a number, and the number of the code."""


@pytest.mark.parametrize("page", SAID)
def test_a_page_has_the_numbers_of_the_code(page):
    said = " ".join((ROOT / "docs" / page).read_text().split())
    expected = [text.format(number) for text, number in SAID[page].items()]
    assert [text for text in expected if text not in said] == []
