"""Parameters of a player's class, set in its name: read, refused, and handed to the class."""

import json
import re

import pytest

from ludograph import InvalidInput, boards, flood, play_match
from ludograph.players import parse_player
from ludograph.players.isolation import Level
from ludograph.players.parameters import has_no_player
from ludograph.referee.player_factory import labels
from tests.cli.run import succeed

SOURCE = """
import math


class Base:
    def __init__(self, c=1.4, depth=3, *, greedy=False, note="", root=math.sqrt(2), board=None):
        self.given = {"c": c, "depth": depth, "greedy": greedy, "note": note, "root": root}

    def choose(self, position):
        return position.legal_moves()[0]

    def thoughts(self):
        return {"note": repr(self.given)}


class Mcts(Base):
    pass


class Plain:
    def choose(self, position):
        return position.legal_moves()[0]


def first(position):
    return position.legal_moves()[0]
"""

HAS = (
    r"has .*\bc \(a number\), depth \(a whole number\), greedy \(true or false\), "
    r"note \(a text\), root"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(SOURCE)
    (tmp_path / "one.py").write_text(SOURCE[: SOURCE.index("class Mcts")])


@pytest.fixture
def start():
    return flood.position(boards.square(3), colors=4, seed=1)


def given(start, name, **options):
    result = play_match(start, [name, "random"], thoughts=True, seed=1, **options)
    assert not result.faults
    return result.moves[0].thoughts.note


def test_a_class_is_made_with_them(start):
    name = "bot.py:Mcts:c=0.5,depth=7,greedy=yes,note=a b/c:d.py,root=1e-3"
    want = {"c": 0.5, "depth": 7, "greedy": True, "note": "a b/c:d.py", "root": 0.001}
    assert given(start, name) == repr(want)
    assert given(start, "one.py:c=2") == given(start, "one.py:Base:c=2.0")
    assert "'c': 2.0, 'depth': 3" in given(start, "one.py:c=2")


@pytest.mark.slow
@pytest.mark.parametrize("level", Level)
def test_at_every_level_of_isolation(start, level):
    assert "'depth': 9" in given(start, "one.py:depth=9", isolation=level)


def test_names_tell_settings_apart():
    names = ["one.py:c=1", "one.py:c=2", "bot.py:Mcts:c=1,depth=2", "./one.py"]
    shown = ["one.py:c=1", "one.py:c=2", "bot.py:Mcts:c=1,depth=2", "one.py"]
    assert labels(names) == shown
    specs = [parse_player(name, flood) for name in names]
    assert labels(specs) == shown
    assert [spec.text for spec in specs] == names


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("bot.py:Mcts:dept=1", rf"Mcts: .*'dept'; it {HAS}; .* depth\?"),
        ("bot.py:Mcts:board=1", f"Mcts: .*'board'; it {HAS}"),
        ("bot.py:Mcts:c=x", f"Mcts: c .* number, .*'x'; it {HAS}"),
        ("bot.py:Mcts:c=nan", f"Mcts: c .* number, .*'nan'; it {HAS}"),
        ("bot.py:Mcts:c=1_0", f"Mcts: c .* number, .*'1_0'; it {HAS}"),
        ("bot.py:Mcts:c=1e400", f"Mcts: c .* number, .*'1e400'; it {HAS}"),
        ("one.py:depth=0.5", f"Base: depth .* whole number, .*'0.5'; it {HAS}"),
        ("one.py:greedy=1", f"Base: greedy .* true or false, .*'1'; it {HAS}"),
        ("one.py:c=1,c=2", f".*'c' .*; Base {HAS}"),
        ("one.py:Base:c", f".* name=value, .*'c'; Base {HAS}"),
        ("one.py:Base:", f".* name=value, .*''; Base {HAS}"),
        ("bot.py:first:c", ".* name=value, .*'c'"),
        ("one.py:c", f".*'c' of Base .* c=VALUE; Base {HAS}"),
        ("one.py:dep", f".*'dep'; .* Base; Base {HAS}"),
        ("bot.py:Mctss", r".*'Mctss'; .* Base, Mcts, Plain, first; .* Mcts\?"),
        ("bot.py:Plain:c=1", "Plain .*__init__ .*"),
        ("bot.py:first:c=1", "first .* function; .*"),
    ],
)
def test_wrong_ones_are_refused_before_the_match(start, name, named):
    with pytest.raises(InvalidInput) as caught:
        play_match(start, [name, "random"])
    assert re.fullmatch(f"player '{re.escape(name)}': {named}", str(caught.value))


@pytest.mark.parametrize(
    "head", ["from made import Mcts", "import made\nclass Mcts(made.Mcts):\n    pass"]
)
def test_what_only_the_loaded_class_tells(tmp_path, start, head):
    (tmp_path / "made.py").write_text(SOURCE)
    (tmp_path / "far.py").write_text(head)
    assert "'c': 2.0" in given(start, "far.py:Mcts:c=2")
    result = play_match(start, ["far.py:Mcts:d=2", "random"])
    (fault,) = result.faults
    assert fault.reason == "no-start"
    assert re.fullmatch(rf"Mcts: .*'d'; .* {HAS} \(a number\)", fault.message)


@pytest.mark.parametrize(
    "source",
    [
        "from made import *",
        "import made\ndef __getattr__(name):\n    return made.Mcts",
        "import made\nglobals()['Late'] = made.Mcts",
        "import made\nfor Late in [made.Mcts]:\n    pass",
        "import made\ndef late():\n    global Late\n    Late = made.Mcts\nlate()",
        "try:\n    from made import Mcts as Late\nexcept ImportError:\n    Late = None",
        "def (:",
    ],
)
def test_a_name_that_may_be_there_is_not_refused(tmp_path, source):
    (tmp_path / "late.py").write_text(source)
    assert parse_player("late.py:Late", flood).entry == "Late"


def test_a_dataclass(tmp_path, start):
    (tmp_path / "data.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Data:\n    c: float = 1.0\n"
        "    def choose(self, position):\n        self.seen = self.c\n"
        "        return position.legal_moves()[0]\n"
        "    def thoughts(self):\n        return {'note': repr(self.seen)}\n"
    )
    assert given(start, "data.py:c=3") == "3.0"


@pytest.mark.slow
def test_two_settings_meet_in_a_series_and_in_a_tournament_file(tmp_path):
    names = ["bot.py:Mcts:c=1", "bot.py:Mcts:c=2"]
    series = json.loads(succeed("flood", "-m", "3", "-r", "2", "--seed", "1", "--json", *names))
    assert [line["name"] for line in series["players"]] == names
    (tmp_path / "two.toml").write_text(
        f'game = "flood"\nplayers = {json.dumps(names)}\ngames = 2\nseed = 1\n'
    )
    table = json.loads(succeed("tournament", "two.toml", "--store", "kept.sqlite", "--json"))
    assert sorted(line["player"] for line in table["players"]) == names


@pytest.mark.parametrize(
    ("source", "surely"),
    [
        ("x = 1\n", True),
        ("def play(position):\n    return 0\n", False),
        ("Bot = type('Bot', (), {})\n", False),
        (
            "class Bot:\n    if True:\n        def choose(self, position):\n            return 0\n",
            False,
        ),
        ("class Bot:\n    def move(self, position):\n        return 0\n", True),
        ("def choose(position):\n    return 0\n", False),
        ("choose = min\n", False),
        ("from other import choose\n", False),
        ("from other import *\n", False),
        ("from other import best as choose\n", False),
        ("class Bot:\n    def choose(self, position):\n        return 0\n", False),
        (
            "if True:\n    class Bot:\n        def choose(self, position):\n            return 0\n",
            False,
        ),
        ("from other import Base\nclass Bot(Base):\n    pass\n", False),
        ("class A:\n    def start(self): ...\nclass B(A):\n    def play(self): ...\n", False),
        ("globals()['choose'] = min\n", False),
    ],
)
def test_a_file_surely_has_no_player(source, surely) -> None:
    assert has_no_player(source.encode()) == surely
