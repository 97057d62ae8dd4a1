"""Python files as players: the forms they may have, and how they are found."""

import os

import pytest

from ludograph import InvalidInput, flood
from ludograph.hosting.python_host import entry, load
from ludograph.players.forfeit import PlayerFault
from ludograph.players.protocol import ChoosingPlayer, as_player
from tests.hosting.fixtures import the_fault

WHOLE = """
import helper
from ludograph import rules

class Clever:
    name = "so \\x1b[31m clever"
    def start(self, position, seat):
        self.position, self.seat = position, seat
        assert position.turn == 0 and position.ply == 0
    def play(self, moves, time_left):
        assert time_left.move == 50.0
        for move in moves:
            self.position.play(move)
        assert self.position.turn == self.seat
        move = helper.best(self.position)
        self.position.play(move)
        print("played", move)
        return move
    def finish(self, outcome):
        assert len(outcome.ranks) == 2
        open(HERE, "a").write(f"{self.seat} ended {outcome.ranks}\\n")
"""


@pytest.mark.usefixtures("unisolated")
def test_the_whole_protocol(start, file, referee, tmp_path, monkeypatch):
    file("def best(position):\n    return position.legal_moves()[0]\n", "helper.py")
    path = file(WHOLE.replace("HERE", repr(str(tmp_path / "ends"))))
    monkeypatch.chdir(tmp_path)
    result = referee(start, [path, "bot.py:Clever"], clock="50s")
    assert result.reason == "finished"
    assert result.names == ("bot.py “so \\x1b[31m clever”", "bot.py:Clever “so \\x1b[31m clever”")
    assert len((tmp_path / "ends").read_text().splitlines()) == 2
    assert not (tmp_path / "__pycache__").exists()


FORMS = {
    "function": "def choose(position):\n    return position.legal_moves()[-1]\n",
    "class": "class A:\n    def choose(self, position):\n        return 'pass'\n",
    "with time": "class A:\n    def choose(self, position, time_left):\n"
    "        assert time_left.move is None\n        return ' PASS '\n",
    "numpy": "import numpy\ndef choose(position):\n"
    "    return numpy.int64(position.legal_moves()[0])\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_the_short_form(form, start, file, referee):
    result = referee(start, [file(FORMS[form]), "random"])
    assert result.reason == "finished"
    assert result.faults == []


def test_the_seed_decides_what_is_random(start, file, referee):
    code = (
        "import random\ndef choose(position):\n    return random.choice(position.legal_moves())\n"
    )
    games = [referee(start, [file(code), "greedy"], seed=seed) for seed in (4, 4, 5)]
    moves = [[played.move for played in game.moves] for game in games]
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize(
    ("code", "name", "problem"),
    [
        ("x = 1", "", "has no player"),
        ("x = 1", "Clever", "Clever"),
        ("class A:\n choose=len\nclass B:\n choose=len", "", ":NAME: A, B"),
        ("from fractions import Fraction", "", "has no player"),
    ],
)
def test_the_entry_of_a_file(code, name, problem, file):
    path = file(code)
    with pytest.raises(InvalidInput, match=problem):
        entry(load(path), path, name)


def test_a_class_beside_a_function_is_meant():
    class A:
        def choose(self, position):
            return 0

    assert isinstance(as_player(A), ChoosingPlayer)
    assert isinstance(as_player(A()), ChoosingPlayer)
    assert isinstance(as_player(lambda position: 0), ChoosingPlayer)
    for thing in (3, None, object()):
        with pytest.raises(InvalidInput, match=r"\bplayer: "):
            as_player(thing)


def test_a_class_that_cannot_be_made_does_not_start():
    class Broken:
        def __init__(self):
            raise InvalidInput("no")

    with pytest.raises(PlayerFault, match="raised InvalidInput: no") as caught:
        as_player(Broken)
    assert caught.value.reason == "no-start"


@pytest.mark.parametrize(("place", "reason"), [("__init__", "no-start"), ("choose", "crash")])
def test_no_error_that_a_player_raises_is_ours(place, reason, start, file, referee):
    code = (
        "from ludograph.errors import HostFailure\n"
        "class Player:\n"
        "    def choose(self, position): return position.legal_moves()[0]\n"
        f"    def {place}(self, *whatever): raise HostFailure('no table')\n"
    )
    found = the_fault(referee(start, ["greedy", file(code)]))
    assert found.reason == reason
    assert "no table" in found.message


def test_relative_and_absolute_names_are_one(start, file, monkeypatch):
    path = file(FORMS["function"])
    monkeypatch.chdir(os.path.dirname(path))
    specs = [flood.name, path, "bot.py", "./bot.py:choose"]
    from ludograph.players import parse_player

    assert [parse_player(text, flood).label for text in specs[1:]] == [
        "bot.py",
        "bot.py",
        "bot.py:choose",
    ]
