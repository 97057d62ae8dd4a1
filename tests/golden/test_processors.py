"""Golden games and transcripts are the same on a processor that can do less than this one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processors import OLD

TESTS = (
    "tests/golden/test_random_games.py",
    *(
        f"tests/golden/test_transcripts.py::test_what_is_written_and_kept_is_the_same[{name}.txt]"
        for name in (
            "carcassonne/match-json",
            "flood/solve",
            "flood/why",
            "hex/htp",
            "hex/match",
            "hex/solve",
            "penguins/solve",
            "penguins/tournament",
        )
    ),
)


@pytest.mark.slow
def test_games_answers_and_ratings_are_the_same_on_an_old_processor() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "--all", "-p", "no:cacheprovider", *TESTS]
    folder = Path(__file__).parents[2]
    tests = subprocess.run(
        command, cwd=folder, env=os.environ | OLD, capture_output=True, text=True, check=False
    )
    assert tests.returncode == 0, tests.stdout
    assert "skipped" not in tests.stdout
    assert "deselected" not in tests.stdout
