"""Numbers in the documents that are constants of the code agree with it."""

from pathlib import Path

import pytest

from ludograph.arena import playing
from ludograph.arena.ladder import suspension
from ludograph.boards import checks, files, layout
from ludograph.cli import loss_report
from ludograph.cli.play import renderers
from ludograph.games import analysis_info, analysis_info_validation
from ludograph.games.amazons import options as amazons
from ludograph.games.carcassonne import evaluation as meeples
from ludograph.games.carcassonne import expectation
from ludograph.games.flood import options as flood
from ludograph.games.hex import options as hex_options
from ludograph.games.hex.solving import background as hex_solver
from ludograph.games.penguins import options as penguins
from ludograph.hosting import cmd_host, foreign_player, host, player_kernels, program, turn_time
from ludograph.hosting.sandbox import memory, mounts, privileges
from ludograph.players import isolation
from ludograph.protocols import htp
from ludograph.referee import record_reader
from ludograph.search import pacing
from ludograph.search.mcts import background_solver, options, threads
from ludograph.web import limits, people_names, source_checks

ROOT = Path(__file__).resolve().parent.parent.parent
WORDS = {
    0.25: "a quarter",
    0.5: "half",
    0.75: "three quarters",
    1 / 16: "a sixteenth",
    2: "two",
    3: "three",
    4: "four",
    8: "eight",
}
MIB, KIB = 1 << 20, 1 << 10


def word(number: float) -> str:
    """Return a number as sentences have it."""
    return WORDS[number]


SAID = [
    ("amazons.md", "A board can have up to {} tiles", amazons.MOST_TILES),
    ("boards.md", "at most {:,} vertices", checks.MAX_VERTICES),
    ("boards.md", "Flood {:,},", flood.MOST_VERTICES),
    ("boards.md", "({} cells in a row)", hex_options.WIDEST),
    ("boards.md", "Hex {:,}", (hex_options.WIDEST + 2) ** 2),
    ("boards.md", "Penguins {:,}", penguins.MOST_TILES),
    ("boards.md", "Amazons {:,}", amazons.MOST_TILES),
    ("boards.md", "a board of at most {} vertices", layout.SMALL),
    ("boards.md", "Files above {} GiB", files.MAX_BYTES >> 30),
    ("carcassonne.md", "This chance is {:g} for each open side", expectation.OPEN_SIDE),
    ("carcassonne.md", "times r / (r + {:g}) if r tiles", expectation.HALF_CHANCE),
    ("carcassonne.md", "adds {:g} points, times r", meeples.MEEPLE_VALUE),
    ("clocks.md", "a clock of its own: {:g} seconds", foreign_player.START_SECONDS),
    ("clocks.md", "At most {:g} seconds are granted", turn_time.GRANTED),
    ("clocks.md", "or {} times what the move has", word(turn_time.TIMES)),
    ("clocks.md", "looked at {:g} times a second while it thinks", 1 / turn_time.SLICE),
    ("clocks.md", "{} times in a short turn", word(turn_time.SLICES)),
    ("clocks.md", "every {} milliseconds when it is late", word(1000 * turn_time.STEP)),
    ("clocks.md", "plays it again, up to {} times", word(playing.TRIES)),
    ("command-line.md", "| {:g} in a terminal, else 0 |", renderers.DELAY),
    ("hex.md", "the two take {} turns each", word(pacing.ROUNDS)),
    ("hex.md", "Up to {} the solver gets", background_solver.NEAR),
    ("hex.md", "the solver gets {} of the time", word(background_solver.SHARE)),
    ("hex.md", "and above {} nothing", background_solver.FAR),
    (
        "hex.md",
        "one node for every {:g} simulations",
        hex_solver.SIMULATIONS_PER_NODE * (1 - background_solver.SHARE) / background_solver.SHARE,
    ),
    ("how-it-is-made.md", "has a limit: {:g} seconds for a move", turn_time.GRANTED),
    ("htp.md", "after its first {} bytes", htp.LONGEST),
    ("htp.md", "has more than {} kB", program.LINE_LIMIT // KIB),
    ("isolation.md", "more than {} open files", privileges.FILES),
    ("isolation.md", "| {} MiB in memory", mounts.SCRATCH_BYTES // MIB),
    ("isolation.md", "`/dev/shm`, {} MiB each", mounts.SCRATCH_BYTES // MIB),
    ("isolation.md", "({} MiB at most)", player_kernels.PLAYER_BYTES // MIB),
    ("isolation.md", "may hold {} GiB of memory", isolation.MEMORY >> 30),
    ("isolation.md", "(at most {:,})", memory.MOST_LOCKS),
    ("ladder.md", "after {} of them in a row", suspension.VOID_LIMIT),
    ("pages.md", "A client has {:g} seconds for the head", limits.HEAD_SECONDS),
    ("pages.md", "{:g} seconds and one more for each", limits.BODY_SECONDS),
    ("pages.md", "one more for each {} KiB for a body", limits.BODY_RATE // KIB),
    ("pages.md", "and {:g} seconds to read an answer", limits.READ_SECONDS),
    ("pages.md", "At most {} connections are open", limits.CONNECTIONS),
    ("pages.md", "A name has at most {} letters", people_names.LONGEST),
    ("pages.md", "compiles for more than {:g} seconds", source_checks.CHECK_SECONDS),
    ("pages.md", "a name of up to {} characters", limits.BOARD_NAME),
    ("pages.md", "up to {} cells", limits.EDITED_VERTICES),
    ("pages.md", "and {} edges", limits.EDITED_EDGES),
    ("pages.md", "and {} open pages of matches", limits.ADDRESS_LISTENS),
    ("programs.md", "a line of more than {} bytes", program.LINE_LIMIT),
    ("programs.md", "of {} bytes with its analysis", cmd_host.LONGEST),
    ("programs.md", "More than {} KiB of it", host.THOUGHTS_LIMIT // KIB),
    ("programs.md", "(default: {:g} seconds, more on big boards)", foreign_player.START_SECONDS),
    ("programs.md", "has {:g} seconds to end", program.QUIT_SECONDS),
    ("programs.md", "files of up to {} MiB", limits.PLAYER // MIB),
    ("records.md", "A header has at most {} MiB", record_reader.HEADER_LIMIT // MIB),
    ("records.md", "any other line at most {} MiB", record_reader.LINE_LIMIT // MIB),
    ("service.md", "players have up to {} MiB", limits.PLAYER // MIB),
    ("threads.md", "at most {} of that thread's time", word(background_solver.SHARE)),
    ("threads.md", "with {} or more visits", threads.CONTENDED),
    ("threads.md", "{} of the visits", word(1 / threads.LAG)),
    ("threads.md", "of the visits or {}", threads.MOST_PENDING),
    ("threads.md", "takes {:,} unused nodes", threads.MOST_SPARE),
    ("threads.md", "room for {} million nodes", word(options.NODES >> 20)),
    ("why.md", "seconds for each position (default: {:g})", loss_report.TIME),
    ("why.md", "whole game (default: {:g})", loss_report.TOTAL),
    ("writing-a-player.md", "{:,} moves, ", analysis_info.MOST_MOVES),
    ("writing-a-player.md", "{:,} cells", analysis_info_validation.MOST_CELLS),
    ("writing-a-player.md", "another process, {} KiB", host.THOUGHTS_LIMIT // KIB),
]
"""A page, what it says with a place for a number, and the number of the code."""


@pytest.mark.parametrize(("page", "text", "number"), SAID, ids=lambda value: str(value)[:40])
def test_a_page_has_the_number_of_the_code(page, text, number):
    said = " ".join((ROOT / "docs" / page).read_text().split())
    assert text.format(number) in said
