"""Whatever is wrong with the input: one sentence, exit code 2, nothing on standard output."""

import re

import pytest

from tests.cli.installed import EXAMPLES
from tests.cli.run import refuse, run

LINES = [
    ("flood greedy folder.py", "'folder.py'"),
    ("replay noise.jsonl", "noise.jsonl: line 1"),
    ("replay .", r"\."),
    ("compare HEX3 random random", "^compare: hex3 is not a game for two players; choose amazons"),
    ("tournament HEX3 a.py b.py", "'ludograph tournament hex3 my.py random player3.py'$"),
    ("HEX3 -q", "'ludograph hex3 random random random'$"),
]
"""What no transcript can hold; the others are in ``tests/golden/transcripts/refusals*.txt``."""


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(("line", "named"), LINES)
def test_it_is_refused(line, named, folder):
    (folder / "folder.py").mkdir()
    (folder / "noise.jsonl").write_bytes(b"\xff\x00\n\n")
    assert re.search(named, refuse(*line.replace("HEX3", str(EXAMPLES / "hex_for_three")).split()))


@pytest.mark.parametrize(
    "name", ["", " ", "\x1b[31mred\x07", "a" * 10_000, "two\nlines", "<b>bold</b>", "grün", "🙂.py"]
)
def test_strange_names_are_shown_safely(name):
    message = refuse("flood", "greedy", name)
    assert message.isprintable()
    assert len(message) < 400


def test_bytes_that_are_no_text(tmp_path):
    done = run("flood", "greedy", b"\xff\xfe.py".decode(errors="surrogateescape"), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("ludograph: ")


def test_the_process_ends_with_2():
    done = run("flood", "-c", "1", "greedy", "random")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch("ludograph: --colors .*'1'\n", done.stderr)


@pytest.mark.parametrize("size", ["0", "-4"])
def test_options_may_stand_anywhere(size):
    assert refuse("flood", "greedy", "-m", size, "random") == refuse(
        "flood", "greedy", "random", "-m", size
    )
