"""Bytes as they come, and nothing that a clock would pay for."""

import io
import os
import subprocess
import sys

import pytest

from ludograph.protocols.htp import LONGEST, read_lines
from tests.protocols.htp_client import Client

ENGINE = [sys.executable, "-m", "ludograph", "htp", "--strategy", "random", "--size", "3"]


def answers(data):
    out = io.StringIO()
    Client(size=5).server.serve(read_lines(io.BytesIO(data)), out)
    return out.getvalue().split("\n\n")[:-1]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"name\r\n\r\n1 play BLACK\ta1\r\nplay\tw B2 # here\r\n", ["= Ludograph", "=1", "="]),
        (b"\n \t\n# only a comment\n#\n", []),
        (b"", []),
        (b"name", ["= Ludograph"]),  # the input ends in the middle of a line
        (b"name\n3 na", ["= Ludograph", "?3 unknown command"]),
        (b"na\x00me\n", ["= Ludograph"]),
        (b"n\xe9me\nname\xff\nname\n", ["? unknown command"] * 2 + ["= Ludograph"]),
        (b"4294967295 name\n007 name\n", ["=4294967295 Ludograph", "=007 Ludograph"]),
        (b"5\n", ["?5 unknown command"]),
        (b"quit\nname\n", ["="]),
    ],
)
def test_odd_bytes(data, expected):
    assert answers(data) == expected


def test_long_lines_have_one_answer_each():
    junk = b"x" * 10 * LONGEST
    found = answers(b"name " + junk + b"\n#" + junk + b"\n" + junk + b"\nname\n")
    assert [answer[0] for answer in found] == ["?", "?", "="]
    assert all(len(answer) < 100 for answer in found)
    exact = b"name".ljust(LONGEST - 1) + b"\nname".ljust(LONGEST + 1) + b"\nname\n"
    assert answers(exact) == ["= Ludograph"] * 3


def test_wide_boards_have_columns_of_two_letters():
    client = Client(size=50)
    client.ask("play black AA1")
    client.ask("play white ax50")
    assert "occupied" in client.fail("play white aa1")
    assert client.fail("play white ay1") == "syntax error: no such cell"
    client.ask("boardsize 26")
    client.ask("play black z26")
    assert client.fail("play black aa1") == "syntax error: no such cell"


@pytest.mark.slow
def test_a_front_end_that_goes_away_is_no_error():
    engine = subprocess.Popen(
        ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    engine.stdin.write(b"name\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"= Ludograph\n"
    engine.stdout.close()
    _, errors = engine.communicate(b"name\n" * 1000, timeout=60)
    assert b"Traceback" not in errors


@pytest.mark.slow
def test_the_search_stays_the_same_on_a_board():
    client = Client("mcts:sims=20", size=5)
    search = client.engine.player.search
    for line in ("play black c2", "play white swap-pieces", "genmove black", "genmove white"):
        client.ask(line)
        assert client.engine.player.search is search
    for line in ("undo", "undo", "undo", "undo", "play white c2", "genmove black", "genmove white"):
        client.ask(line)
        assert client.engine.player.search is search


COLD = """
import sys
from ludograph.rules.announcer import announcer
from tests.protocols.htp_client import Client
announcer.line = lambda said: print(said, file=sys.stderr)
client = Client("connex", size=6)
print("ready", file=sys.stderr)
for line in ("genmove black", "clear_board", "play black c3", "genmove white", "genmove black"):
    client.ask(line)
"""


@pytest.mark.slow
def test_nothing_is_compiled_on_the_clock(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", COLD],
        env={
            **os.environ,
            "LUDOGRAPH_CACHE": str(tmp_path),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    before, after = done.stderr.split("ready")
    assert "preparing" in before
    assert "preparing" not in after
