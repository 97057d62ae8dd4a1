"""Type checkers understand a game that is written as on the page, and the games of the package."""

import subprocess
import sys

import pytest

from tests.docs.test_adding_a_game import EXAMPLE

pytestmark = pytest.mark.slow

USE = """\
from ludograph import flood, hex
from ludograph.games import Position
from ludograph.games.flood import Flood, FloodPosition
from snort.game import Snort, snort


def begin(game: Flood, size: int) -> FloodPosition:
    return game.position(size)


games: tuple[Flood, Snort] = (flood, snort)
position: Position = games[1].position("square:3")
zone: int = begin(flood, 5).zone(0).size
"""
MISUSE = """
begin(hex, 5)
position.play(None)
snort.position(board=2.5)
"""


def strictly(folder, text):
    """Return what ``mypy --strict`` says, without settings, of a module beside the example."""
    (folder / "use.py").write_text(text)
    options = ["--strict", "--config-file=", f"--cache-dir={folder / 'cache'}", "--no-pretty"]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *options, "use.py", "snort"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_mypy_is_strict_and_finds_nothing_but_misuse(tmp_path) -> None:
    (tmp_path / "snort").symlink_to(EXAMPLE / "snort")
    assert strictly(tmp_path, USE) == "Success: no issues found in 3 source files\n"
    found = strictly(tmp_path, USE + MISUSE).splitlines()
    first = USE.count("\n") + 2
    assert [line.split(":")[1] for line in found if ": error: " in line] == [
        str(first),
        str(first + 1),
        str(first + 2),
    ]
