"""``--resume``: a game that somebody has left goes on in its record."""

import re

import pytest

from ludograph import read_record
from tests.cli.run import refuse, run


@pytest.fixture
def left(tmp_path):
    """A game of Hex that a person has left after two moves of each."""
    path = tmp_path / "left.jsonl"
    game = ("hex", "--size", 4, "--seed", 1, "--starter", 0, "-q", "--record", path)
    done = run(*game, "human", "connex", input="a1\nb2\nquit\n")
    assert re.search(f"--resume {path} .*--seed 1 --starter 0 ", done.stdout)
    return path


@pytest.mark.slow
def test_it_goes_on_where_it_was_left(left):
    moves = read_record(left).earlier()
    done = run("hex", "--resume", left, input="a2\nresign\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\nply 5: ") == 1
    assert "ply 4:" not in done.stdout
    record = read_record(left)
    assert record.end is not None
    assert [event.move for event in record.events[:4]] == [played.move for played in moves]
    assert re.match(f"{left}: .*ended", refuse("hex", "--resume", left))


@pytest.mark.slow
def test_who_played_plays_on(left):
    done = run("hex", "--resume", left, "-q", input="quit\n")
    assert f" 4 moves; --resume {left} " in done.stdout


def test_the_record_has_settled_the_game(left):
    for option in ("--size", "-r", "--seed", "--store"):
        assert refuse("hex", "--resume", left, option, 5).endswith(f" {option}")
    assert re.match(f"{left} .*hex.* flood", refuse("flood", "--resume", left))
    assert "players" in refuse("hex", "--resume", left, "random", "random")
