"""What a front end is told about a position, command by command as it is offered."""

import pytest

from ludograph import hex
from ludograph.games.hex.engine import analysis
from tests.protocols.htp_client import Client

pytestmark = pytest.mark.slow

WINS_4X4 = {"d1", "c2", "b3", "a4"}


SEARCH = "mcts:sims=200,connections=off,solver=off"


@pytest.fixture
def client():
    return Client("connex", size=4)


def pairs(text):
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


def everything(client, color="black"):
    """What all offered commands answer, by command."""
    lines = [line.split("/") for line in client.ask("hexgui-analyze_commands").split("\n")]
    assert all(len(line) == 3 for line in lines)
    return {
        (kind, command.split()[0]): client.send(command.replace("%c", color))
        for kind, _, command in lines
    }


def test_every_offered_command_is_known_and_answers_as_its_type_says():
    client = Client(SEARCH, size=4)
    client.ask("play black b2")
    client.ask("genmove white")
    position = client.engine.table.position()
    names = {position.text(vertex) for vertex in position.setup.free.tolist()}
    for (kind, command), answer in everything(client).items():
        assert client.ask(f"known_command {command}") == "true"
        assert answer == "=" or answer.startswith("= "), answer  # a list may be empty
        assert "\n" not in answer
        if kind == "plist":
            assert set(answer[2:].split()) <= names
        elif kind == "pspairs":
            assert set(pairs(answer[2:])) <= names
        else:
            assert kind == "string"
    assert client.ask("gogui-analyze_commands") == client.ask("hexgui-analyze_commands")


@pytest.mark.parametrize("size", [1, 11])
@pytest.mark.parametrize("color", ["black", "W"])
def test_no_position_is_beyond_them(size, color, monkeypatch):
    monkeypatch.setattr(analysis, "SOLVING_SECONDS", 0.01)
    client = Client(size=size)
    for setup in ("clear_board", "play black a1", "play white swap-pieces", "play w resign"):
        client.send(setup)
        assert all(answer[0] in "=?" for answer in everything(client, color).values())
    assert client.ask("all_legal_moves") == ""


def test_legal_moves_are_cells(client):
    assert client.ask("all_legal_moves").split()[:5] == ["a1", "b1", "c1", "d1", "a2"]
    client.ask("play black b1")
    free = client.ask("all_legal_moves").split()
    assert len(free) == 15
    assert "b1" not in free


def test_the_solver_answers(client):
    assert client.ask("ludograph-winner black").startswith("black wins: ")
    assert client.ask("ludograph-winner w").startswith("white wins: ")
    assert set(client.ask("ludograph-winning_moves black").split()) == WINS_4X4
    won = {
        cell for cell, letter in pairs(client.ask("ludograph-openings")).items() if letter == "W"
    }
    assert won == WINS_4X4
    client.ask("play black a1")
    assert client.ask("ludograph-winner white").startswith("white wins: ")
    client.ask("play black c2")
    assert client.ask("ludograph-winner white").startswith("black wins: ")
    assert client.ask("ludograph-winning_moves white") == ""


def test_the_solver_says_what_it_cannot(client, monkeypatch):
    client.ask("boardsize 17")
    for command in ("winner black", "winning_moves black", "openings"):
        assert "1 to 16" in client.fail(f"ludograph-{command}")
    monkeypatch.setattr(analysis, "SOLVING_SECONDS", 1e-9)
    client.ask("boardsize 7")
    for command in ("winner black", "winning_moves black"):
        assert client.fail(f"ludograph-{command}").startswith("not solved within")
    assert client.ask("ludograph-openings") == ""
    client.ask("play white resign")
    assert "over" in client.fail("ludograph-winner black")


def test_paths_and_currents(client):
    for line in ("play black b1", "play black b2", "play black b3", "play white a4"):
        client.ask(line)
    assert client.ask("ludograph-paths black") == "b4"
    # Black's only way: b4, or from b2 and b3 over column c or a to the bottom.
    assert float(pairs(client.ask("ludograph-currents black"))["b4"]) > 0.5
    assert client.ask("ludograph-resistances").endswith("black is ahead")
    client.ask("play black b4")
    assert client.ask("ludograph-currents black") == ""
    joined = client.ask("ludograph-resistances")
    assert joined.startswith("black joined, ")
    assert joined.endswith("black is ahead")


def test_both_are_level_on_the_empty_board(client):
    assert client.ask("ludograph-resistances").endswith("both are level")
    black, white = (pairs(client.ask(f"ludograph-currents {color}")) for color in "bw")
    assert black["b1"] == white["a2"]


@pytest.mark.usefixtures("plain_in_make_test")
def test_visits_and_values_are_those_of_the_last_search():
    client = Client(SEARCH, size=4)
    assert client.fail("ludograph-visits").startswith("no search")
    client.ask("play black b2")
    move = client.ask("reg_genmove black")
    visits = {cell: int(text) for cell, text in pairs(client.ask("ludograph-visits")).items()}
    values = {cell: float(text) for cell, text in pairs(client.ask("ludograph-values")).items()}
    assert set(visits) == set(client.ask("all_legal_moves").split())
    assert next(iter(visits)) == next(iter(values)) == move
    assert max(visits, key=visits.get) == move
    assert sum(visits.values()) == pytest.approx(200, abs=1)
    assert {cell for cell, count in visits.items() if count} <= set(values)
    assert all(0 < value < 1 for value in values.values())
    client.ask("clear_board")
    assert client.fail("ludograph-values").startswith("no search")
    other = Client("connex", size=4)
    other.ask("genmove black")
    assert other.fail("ludograph-visits").startswith("no search")


def test_a_move_without_a_search_leaves_no_list():
    client = Client("mcts:sims=50", size=4)  # its openings are known
    client.ask("genmove black")
    assert client.fail("ludograph-visits").startswith("no search")


def test_a_value_is_what_the_engine_would_find_and_plays_nothing():
    client = Client(f"{SEARCH},network=off", size=6, pie=False)
    client.ask("play black b5")
    client.ask("play white d3")
    before = client.ask("showboard")
    text = client.ask("ludograph-value black")
    assert 0 < float(text) < 1
    assert client.ask("showboard") == before
    assert pairs(client.ask("ludograph-values"))  # of that search


@pytest.mark.parametrize(("color", "text"), [("white", "0 proven"), ("black", "1 proven")])
def test_a_proven_value_is_told_and_so_are_all_moves_of_a_lost_position(color, text):
    client = Client("mcts:sims=400,network=off", size=4, pie=False)
    for cell in ("b3", "c2"):
        client.ask(f"play black {cell}")
    assert client.ask(f"ludograph-value {color}") == text
    values = pairs(client.ask("ludograph-values"))
    if color == "white":
        assert values == dict.fromkeys(client.ask("all_legal_moves").split(), "0.00")
    else:
        assert next(iter(values.values())) == "1.00"


def test_without_a_search_there_is_no_value():
    assert Client("connex", size=4).fail("ludograph-value black").startswith("no value")
    client = Client("mcts:sims=10", size=4)
    client.ask("play w resign")
    assert "over" in client.fail("ludograph-value black")
    assert "number of arguments" in client.fail("ludograph-value")
    assert client.fail("ludograph-value red").startswith("syntax error: a color")


def test_the_limit_of_the_solver_is_set_and_counts_processor_time(client, monkeypatch):
    assert client.ask("ludograph-winner black 60").startswith("black wins: ")
    assert set(client.ask("ludograph-winning_moves black 60").split()) == WINS_4X4
    for command in ("winner black", "winning_moves black"):
        assert client.fail(f"ludograph-{command} 0") == "not solved within 0 s"
        assert client.fail(f"ludograph-{command} soon").startswith("syntax error: a number")
    asked = []
    monkeypatch.setattr(analysis, "deadline_after", lambda rest: asked.append(rest) or -1.0)
    monkeypatch.setattr(analysis.time, "thread_time", lambda: 0.25 * len(asked))
    client.ask("boardsize 7")
    assert client.fail("ludograph-winner black 1") == "not solved within 1 s"
    assert asked == [1.0, 0.75, 0.5, 0.25]


def test_cells_are_named_as_on_the_board():
    client = Client(size=28)
    client.ask("play white aa27")
    cells = client.ask("all_legal_moves").split()
    assert len(cells) == 28 * 28 - 1
    assert cells[-1] == "ab28"
    assert hex.position(28).board.n == 30 * 30


def test_values_are_within_what_is_proven():
    client = Client("mcts:sims=5000,connections=off,solver=off", size=4)
    for move in ("black b2", "white a1", "black c3"):  # black has won by now
        client.ask(f"play {move}")
    client.ask("reg_genmove white")
    visits = pairs(client.ask("ludograph-visits"))
    assert sum(int(text) > 0 for text in visits.values()) > 1
    assert pairs(client.ask("ludograph-values")) == dict.fromkeys(visits, "0.00")
