"""Our engine under a scripted client: a whole game, every command, every error."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from ludograph import hex
from ludograph.protocols.htp import parse_command
from tests.protocols.htp_client import Client


@pytest.fixture
def client():
    return Client()


def test_who_it_is(client):
    assert client.ask("name") == "Ludograph"
    assert client.ask("version")
    assert client.ask("protocol_version") == "2"


def test_every_command_is_listed_and_known(client):
    names = client.ask("list_commands").split("\n")
    wanted = "name version protocol_version list_commands known_command boardsize clear_board"
    wanted += " play genmove undo showboard time_left time_settings final_score quit"
    wanted += " reg_genmove all_legal_moves hexgui-analyze_commands gogui-analyze_commands"
    private = {name for name in names if name.startswith("ludograph-")}
    assert set(names) - private == set(wanted.split())
    assert all(client.ask(f"known_command {name}") == "true" for name in names)
    assert client.ask("known_command dance") == "false"
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text()
    assert [name for name in names if f"`{name}" not in page] == []


def test_frames():
    client = Client()
    assert client.send("7 name") == "=7 Ludograph"
    assert client.send("8 dance") == "?8 unknown command"
    assert client.send("12\tplay  Black\ta1  # a comment\r") == "=12"
    out = io.StringIO()
    client.server.serve(["\n", "   \n", "# nothing\n"], out)
    assert out.getvalue() == ""


def test_comments_and_control_characters():
    assert parse_command("na\x07me\r\n").name == "name"
    assert parse_command("5\n").number == "5"


def test_a_whole_game():
    client = Client("mcts:sims=30", pie=False)
    client.ask("boardsize 4 4")
    client.ask("clear_board")
    position = hex.position(4, pie=False)
    client.ask("play black a1")
    position.play("a1")
    colors = ("white", "black")
    for number in range(20):
        position.play(client.ask(f"genmove {colors[number % 2]}"))
        if position.is_over:
            break
    assert position.is_over
    score = client.ask("final_score")
    assert score == ("B+" if position.outcome().winner == 0 else "W+")
    for command in ("genmove black", "play black d4"):
        assert "over" in client.fail(command)
    client.ask("undo")
    assert "not over" in client.fail("final_score")
    assert client.send("quit") == "="
    assert not client.server.running


def test_black_joins_top_and_bottom(client):
    client.ask("boardsize 3")
    for cell in ("b1", "b2"):
        client.ask(f"play black {cell}")
    assert "not over" in client.fail("final_score")
    client.ask("play black b3")
    assert client.ask("final_score") == "B+"
    client.ask("clear_board")
    for cell in ("a2", "b2", "c2"):
        client.ask(f"play W {cell.upper()}")
    assert client.ask("final_score") == "W+"


def test_a1_is_top_left_and_rows_lean_to_the_right(client):
    client.ask("boardsize 3 3")
    client.ask("play black a1")
    client.ask("play white c1")
    client.ask("play white a3")
    assert client.ask("showboard").split("\n")[1:] == [
        "    a b c",
        "   X X X X O",
        "  1 O x . o O",
        "   2 O . . . O",
        "    3 O o . . O",
        "       O X X X X",
    ]


def test_undo(client):
    assert client.fail("undo") == "cannot undo"
    before = client.ask("showboard")
    client.ask("play black c2")
    client.ask("undo")
    assert client.ask("showboard") == before
    client.ask("play black c2")
    one = client.ask("showboard")
    client.ask("play white swap-pieces")
    assert " o " in client.ask("showboard")
    client.ask("undo")
    assert client.ask("showboard") == one


def test_swap_pieces_reflects_the_stone_and_its_color(client):
    client.ask("play black c2")
    client.ask("play white swap-pieces")
    rows = client.ask("showboard").split("\n")
    assert rows[2 + 3].split()[:5] == ["3", "O", ".", "o", "."]  # b3
    assert "occupied" in client.fail("play black b3")
    client.ask("play black c2")


def test_swap_sides_leaves_the_stone(client):
    client.ask("play black c2")
    before = client.ask("showboard")
    client.ask("play white swap-sides")
    assert client.ask("showboard") == before


@pytest.mark.parametrize("swap", ["swap-pieces", "swap-sides"])
def test_only_the_first_stone_can_be_swapped(swap, client):
    assert "illegal move" in client.fail(f"play white {swap}")
    client.ask("play black c2")
    assert "illegal move" in client.fail(f"play black {swap}")
    client.ask("play white d2")
    assert "illegal move" in client.fail(f"play black {swap}")


class Greedy:
    """Always swaps where it may."""

    def choose(self, position):
        return max(position.legal_moves())


def test_it_may_swap_the_first_stone(client):
    for setup, swaps in (
        (["play black c2"], "swap-pieces"),
        (["play black c2", "play white d2"], "e5"),
        (["play white c2"], "e5"),
        ([], "e5"),
    ):
        client.ask("clear_board")
        client.engine.player = Greedy()
        for line in setup:
            client.ask(line)
        color = "black" if setup == ["play white c2"] else "white"
        assert client.ask(f"genmove {color}") == swaps
    without = Client(pie=False)
    without.engine.player = Greedy()
    without.ask("play black c2")
    assert without.ask("genmove white") == "e5"


def test_after_its_swap_black_goes_on(client):
    client.ask("play black c2")
    client.engine.player = Greedy()
    assert client.ask("genmove white") == "swap-pieces"
    assert client.ask("genmove black") == "e5"
    assert client.ask("genmove white") == "d5"


def test_after_swap_sides_nobody_swaps_again(client):
    client.ask("play black c2")
    client.ask("play white swap-sides")
    client.engine.player = Greedy()
    assert client.ask("genmove white") == "e5"


def test_reg_genmove_plays_nothing_and_has_the_same_luck_each_time():
    client = Client("mcts:sims=50")
    client.ask("play black c2")
    before = client.ask("showboard")
    first = client.ask("reg_genmove white")
    client.ask("reg_genmove black")
    assert client.ask("reg_genmove white") == first
    assert client.ask("showboard") == before


def test_colors_in_any_order(client):
    for color in ("black", "black", "w", "B", "WHITE", "white"):
        cell = client.ask(f"genmove {color}")
        assert "occupied" in client.fail(f"play black {cell}")


def test_resign(client):
    client.ask("play black a1")
    client.ask("play white resign")
    assert client.ask("final_score") == "B+R"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("boardsize 0", "unacceptable size"),
        ("boardsize 99", "unacceptable size"),
        ("boardsize 99999999999999999999", "unacceptable size"),
        ("boardsize \u0663", "syntax error"),
        ("\u0663 name", "unknown command"),
        ("99999999999 name", "unknown command"),
        ("boardsize 5 6", "unacceptable size"),
        ("boardsize -1", "syntax error"),
        ("boardsize", "syntax error"),
        ("boardsize 1 2 3", "syntax error"),
        ("play black", "syntax error"),
        ("play green a1", "syntax error: a color is black or white"),
        ("play black f1", "syntax error: no such cell"),
        ("play black a0", "syntax error: no such cell"),
        ("play black swap", "syntax error: no such cell"),
        ("play black pass", "syntax error: no such cell"),
        ("reg_genmove green", "syntax error"),
        ("genmove", "syntax error"),
        ("genmove green", "syntax error"),
        ("time_left black soon", "syntax error"),
        ("time_left black nan 0", "syntax error"),
        ("time_left black 1_0 0", "syntax error"),
        ("time_left black \uff11 0", "syntax error"),
        ("time_settings 1 2", "syntax error"),
        ("known_command", "syntax error"),
        ("exit", "unknown command"),
        ("NAME", "unknown command"),
    ],
)
def test_errors(line, message, client):
    assert client.fail(line).startswith(message)
    assert client.ask("showboard").count(".") == 25


class Watching:
    def __init__(self):
        self.seen = []

    def choose(self, position, time_left):
        self.seen.append(time_left)
        return min(position.legal_moves())


def test_time(client):
    client.engine.player = Watching()
    seen = client.engine.player.seen
    client.ask("genmove black")
    assert (seen[-1].move, seen[-1].game) == (None, None)
    client.ask("time_left black 30 0")
    client.ask("genmove black")
    assert seen[-1].game == 30
    client.ask("genmove black")
    assert 29 < seen[-1].game < 30
    client.ask("time_left white 8 2")
    client.ask("genmove white")
    assert (seen[-1].move, seen[-1].game) == (4, None)
    client.ask("time_settings 60 0 0")
    client.ask("genmove white")
    assert seen[-1].game == 60
    client.ask("time_settings 0 2 1")
    client.ask("genmove white")
    assert seen[-1].move == 2
    client.ask("time_settings 0 1 0")
    client.ask("genmove white")
    assert (seen[-1].move, seen[-1].game) == (None, None)


@pytest.mark.slow
def test_the_program_keeps_its_banner_off_standard_output():
    done = subprocess.run(
        [sys.executable, "-m", "ludograph", "htp", "--strategy", "random", "--size", "3"],
        input="name\n2 play b a1\nshowboard\nquit\nname\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    responses = done.stdout.split("\n\n")
    assert responses[:2] == ["= Ludograph", "=2"]
    assert responses[2].startswith("=\n    a b c\n   X X X X O\n")
    assert responses[3:] == ["=", ""]
    assert done.stderr.startswith("Ludograph ")


def test_it_resigns_when_it_was_told_to():
    client = Client("mcts:sims=200,resign=0.5", size=4)
    for command in ("play black b2", "play black b1", "play black b3"):
        client.ask(command)
    assert client.ask("genmove white") == "resign"
    assert client.ask("final_score") == "B+R"
