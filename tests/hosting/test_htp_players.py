"""Programs that speak HTP play here; whatever they do wrong is a forfeit with its reason."""

import time

import pytest

from ludograph import InvalidInput, flood, hex, play_match
from ludograph.games.hex import hex_board
from ludograph.hosting import foreign_player
from ludograph.players import parse_player
from tests.hosting.fakes import PYTHON
from tests.hosting.fakes import fake_htp as fake
from tests.hosting.fixtures import the_fault

OURS = f"htp: {PYTHON} -m ludograph htp"


@pytest.fixture
def start():
    return hex.position(5)


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Return a function that returns what the fake was told."""
    path = tmp_path / "said.txt"
    monkeypatch.setenv("FAKE_HTP_LOG", str(path))
    return lambda: path.read_text().splitlines()


class Opens:
    """Plays what it is told, then the last free cell."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def choose(self, position):
        if self.moves:
            return self.moves.pop(0)
        return max(m for m in position.legal_moves() if m != position.board.n)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 3, 9, 19])
def test_any_size(size, referee):
    for players in ([fake(), "random"], ["random", fake()]):
        result = referee(hex.position(size), players)
        assert (result.reason, result.faults) == ("finished", [])
    assert result.names[1].endswith("“fake”")


@pytest.mark.parametrize("switch", ["one-number", "old", "upper", "carriage-returns", "noise"])
def test_dialects(switch, start, referee):
    assert referee(start, ["random", fake(switch)], clock="10s").faults == []


@pytest.mark.slow
def test_our_engine_plays_itself(start, referee):
    players = [f"{OURS} --strategy random", f"{OURS} --strategy mcts:sims=20 --size 3"]
    result = referee(start, players, clock="20s")
    assert (result.reason, result.faults) == ("finished", [])
    assert "“Ludograph”" in result.names[0]


@pytest.mark.usefixtures("unisolated")
def test_a_swap_by_the_opponent_stays_here(start, referee, said):
    result = referee(start, [fake(), Opens("swap", "e5")])
    assert result.faults == []
    texts = [start.text(played.move) for played in result.moves[:5]]
    assert texts == ["a1", "swap", "a2", "e5", "a3"]
    told = [line for line in said() if line.startswith(("play", "genmove", "clear"))]
    assert told[:8] == [
        "clear_board",
        "genmove black",
        "clear_board",
        "play white a1",
        "genmove black",
        "play white e5",
        "genmove black",
        "play white e4",
    ]


@pytest.mark.slow
def test_our_engine_is_not_tempted_to_swap_back(referee):
    # It would take back what it proposes here, were it shown a black stone and white to move.
    players = [f"{OURS} --strategy minimax:depth=1", Opens("swap")]
    result = referee(hex.position(7), players, clock="20s")
    assert (result.reason, result.faults) == ("finished", [])


@pytest.mark.slow
@pytest.mark.usefixtures("unisolated")
def test_a_swap_by_the_program_is_understood(start, referee, said):
    result = referee(start, [Opens("a2", "e5"), fake("swap")])
    assert result.faults == []
    texts = [start.text(played.move) for played in result.moves[:4]]
    assert texts == ["a2", "swap", "e5", "a1"]
    assert not any("swap" in line for line in said())
    told = [line for line in said() if line.startswith(("play", "genmove", "clear"))]
    assert told[1:7] == [
        "play black a2",
        "genmove white",
        "clear_board",
        "play black a2",
        "play white e5",
        "genmove black",
    ]


@pytest.mark.usefixtures("unisolated")
def test_the_clock_is_told(start, referee, said):
    referee(start, ["random", fake()], clock="60s+1s")
    assert "time_left white 60 0" in said() or "time_left black 60 0" in said()
    referee(start, ["random", fake()], clock="2s")
    assert any(line.endswith(" 2 1") for line in said() if line.startswith("time_left"))


FAULTS = {
    "crash": ("crash", "killed by SIGABRT"),
    "exit": ("crash", "exited with code 3"),
    "close": ("crash", "standard output"),
    "hang": ("timeout", " 0.4 s"),
    "sleep": ("timeout", " 0.4 s"),
    "fork-hang": ("timeout", " 0.4 s"),
    "sigterm-ignore": ("timeout", " 0.4 s"),
    "unflushed": ("timeout", "flush standard output"),
    "endless": ("protocol", "neither = nor ?"),
    "endless-lines": ("protocol", "more than 65536 bytes"),
    "garbage": ("protocol", "hello there"),
    "no-status": ("protocol", "neither = nor ?"),
    "binary": ("protocol", "xff"),
    "empty": ("protocol", "answered ''"),
    "cannot": ("protocol", "? cannot"),
    "refuses-play": ("protocol", "? illegal move"),
    "no-cell": ("protocol", "hello"),
    "pass": ("illegal-move", "pass"),
    "outside": ("illegal-move", "z99"),
    "occupied": ("illegal-move", " seat 1 "),
    "resign": ("resign", "it resigned"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_a_forfeit(fault, start, referee):
    reason, message = FAULTS[fault]
    clock = "400ms" if reason == "timeout" else "20s"
    result = referee(start, [Opens("c3"), fake(fault)], clock=clock)
    found = the_fault(result)
    assert (found.reason, found.ply) == (reason, 1)
    assert message in found.message
    assert (found.answer != "") == (reason == "illegal-move")
    assert len(found.message) < 1000


@pytest.mark.parametrize("fault", ["crash", "hang", "garbage", "occupied", "swap"])
def test_a_fault_in_a_later_move(fault, start, referee):
    result = referee(start, [Opens("c3"), fake(fault, 3)], clock="400ms")
    found = the_fault(result)
    assert found.reason == FAULTS.get(fault, ("illegal-move",))[0]
    assert found.ply == 5


def test_no_swap_without_the_pie_rule(referee):
    result = referee(hex.position(5, pie=False), [Opens("c3"), fake("swap")])
    assert the_fault(result).reason == "illegal-move"


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["two-answers", "exit-later"])
def test_between_two_turns(fault, start, referee):
    class Slow(Opens):
        def choose(self, position):
            time.sleep(0.1)
            return super().choose(position)

    found = the_fault(referee(start, [Slow("c3"), fake(fault)]))
    assert found.ply == 3  # judged when its turn comes
    reason = "protocol" if fault == "two-answers" else "crash"
    says = "asked" if fault == "two-answers" else "exited with code 9"
    assert (found.reason, says in found.message) == (reason, True)


STARTS = {
    "exit-start": "exited with code 1",
    "hang-start": "ready",
    "no-size": " 5 x 5: unacceptable size",
    "banner": "Welcome",
}


@pytest.mark.parametrize("fault", STARTS)
def test_no_start(fault, start, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "START_SECONDS", 1.0)
    found = the_fault(referee(start, ["random", fake(fault)]))
    assert found.reason == "no-start"
    assert STARTS[fault] in found.message
    if fault == "exit-start":
        assert "no licence found" in found.log


@pytest.mark.slow
def test_a_program_that_will_not_quit_is_ended(start, referee):
    assert referee(start, ["random", fake("will-not-quit")]).faults == []


def test_other_games_and_boards_are_refused():
    with pytest.raises(InvalidInput, match=r"\bHTP\b"):
        parse_player("htp: cat", flood, 2)
    for board in (hex_board(5, "c"), hex_board(4, "t")):
        with pytest.raises(InvalidInput, match="hexagonal"):
            play_match(hex.position(board), [fake(), "random"])


def test_boards_wider_than_the_alphabet_are_refused():
    with pytest.raises(InvalidInput, match=r"\b26\b.* 27\b"):
        play_match(hex.position(27), [fake(), "random"])
