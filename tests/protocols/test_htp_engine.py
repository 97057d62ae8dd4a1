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
