"""C players play whole games of Hex on every kind of board; each fault is a forfeit."""

import pytest

from ludograph import hex
from ludograph.games.hex import hex_board
from ludograph.hosting import foreign_player
from tests.amounts import slow_but
from tests.hosting.c_players import EVENTS
from tests.hosting.fixtures import the_fault

KINDS = ["h", "c", "t"]


@pytest.fixture(scope="session")
def library(libraries):
    """Return a function that compiles a C player of Hex once and returns its path."""
    return libraries("hex")


@pytest.fixture
def start():
    return hex.position(hex_board(5))


@pytest.mark.parametrize("m", [4, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_whole_games_on_all_kinds_of_boards(kind, m, library, referee):
    start = hex.position(hex_board(m, kind))
    wanderer, shortest, checks = map(library, ("random_legal", "shortest", "check_gsl"))
    for players in (
        [wanderer, shortest],
        [shortest, wanderer],
        [checks, "random"],
        ["random", checks],
        [shortest, shortest],
    ):
        result = referee(start, players)
        assert result.reason == "finished"
        assert result.faults == []
        assert start.game.parse_move(start.setup, "swap") not in [m.move for m in result.moves[2:]]


class Opens:
    """Opens as it is told, then plays what comes first."""

    def __init__(self, opening):
        self.opening = opening

    def choose(self, position):
        return self.opening if position.ply == 0 else position.legal_moves()[0]


@pytest.mark.parametrize(("opening", "second"), [("a1", "d1"), ("b2", "swap"), ("c3", "swap")])
def test_accepts_a_weak_opening_and_refuses_a_strong_one(opening, second, start, library, referee):
    result = referee(start, [Opens(opening), library("shortest")])
    assert result.faults == []
    refused = start.text(result.moves[1].move) == "swap"
    assert refused == (second == "swap")


def test_a_proposer_that_is_refused_is_white_and_moves_next(start, library, referee):
    always = library("misbehave", fault="refuse")
    result = referee(start, [library("misbehave", fault="none"), always])
    assert [start.text(played.move) for played in result.moves[:3]] == ["a1", "swap", "b1"]
    assert [played.seat for played in result.moves[:4]] == [0, 1, 0, 1]
    assert result.faults == []


@pytest.mark.parametrize("fault", ["none", "odd-accept"])
def test_a_proposer_that_is_accepted_is_black(fault, start, library, referee):
    result = referee(start, ["random", library("misbehave", fault=fault)])
    assert start.text(result.moves[1].move) != "swap"
    assert result.faults == []


REASONS = {
    **EVENTS,
    "illegal": ("illegal-move", ": it is "),
    "border": ("illegal-move", " border "),
    "other-border": ("illegal-move", " border "),
    "out-of-range": ("protocol", " 0 to 35; at ply "),
    "huge": ("protocol", " -1, "),
}
PLACES = {"name": 0, "graph": 0, "propose": 0, "accept": 1, "color": 1, "play": 1}
"""Where a player can fail, and the ply at which it then does."""

AT_START = ("name", "graph")
CALLS = [
    (fault, place)
    for place in PLACES
    for fault in REASONS
    if place in ("propose", "play") or fault in EVENTS
]


@pytest.mark.parametrize(("fault", "place"), slow_but(CALLS[::2], CALLS))
def test_a_fault_is_a_forfeit(fault, place, start, library, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "START_SECONDS", 0.4)
    reason, message = REASONS[fault]
    seat = 0 if place == "propose" else 1
    players = ["random", library("misbehave", fault=f"{fault}-{place}")]
    if seat == 0:
        players.reverse()
    result = referee(start, players, clock="400ms" if reason == "timeout" else "20s")
    found = the_fault(result, seat)
    assert found.reason == ("no-start" if place in AT_START else reason)
    assert message in found.message
    assert found.ply == PLACES[place]
    assert (found.answer != "") == (reason == "illegal-move")
    if reason == "illegal-move":
        assert f" at ply {found.ply + 1}" in found.message
        assert " legal: a1, " in found.message or " legal: b1, " in found.message


@pytest.mark.parametrize("fault", ["crash", "hang", "illegal"])
def test_a_fault_in_a_later_move(fault, start, library, referee):
    misbehave = library("misbehave", fault=f"{fault}-play", fault_at=2)
    result = referee(start, [Opens("b2"), misbehave], clock="400ms")
    assert the_fault(result).reason == REASONS[fault][0]
    assert the_fault(result).ply == 3
    if fault == "illegal":
        assert "occupied" in the_fault(result).message
