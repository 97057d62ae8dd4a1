"""C players play whole games of Hex on every kind of board; each fault is a forfeit."""

import shutil

import pytest

from ludograph import hex, play_match
from ludograph.games.hex import hex_board
from ludograph.games.hex.native import HexLibrary
from ludograph.players import foreign
from tests.amounts import slow_but
from tests.players.c.hex.build import build
from tests.players.fixtures import NEEDS, the_fault

KINDS = ["h", "c", "t"]


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """Return a function that compiles a C player of Hex once and returns its path."""
    if shutil.which("gcc") is None or shutil.which("gsl-config") is None:
        pytest.fail(NEEDS)
    folder = tmp_path_factory.mktemp("hex")
    built = {}

    def compiled(name, **options):
        key = (name, *sorted(options.items()))
        if key not in built:
            built[key] = str(build(name, folder, **options))
        return built[key]

    return compiled


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


def test_libgsl_need_not_be_listed(start, library, referee):
    assert referee(start, [library("shortest", link_gsl=False), "random"]).reason == "finished"


def test_the_header_for_authors_compiles(tmp_path):
    (tmp_path / "player.h").write_text(HexLibrary.header)
    for name in ("random_legal", "shortest"):
        flags = [f"-I{tmp_path}", "-Wextra", "-Werror", "-pedantic", "-DNUM_PLAYERS=2"]
        assert build(name, tmp_path, flags=flags).is_file()


REASONS = {
    "crash": ("crash", "killed by SIGSEGV"),
    "abort": ("crash", "killed by SIGABRT"),
    "exit": ("crash", "exited with code 3"),
    "hang": ("timeout", "within 0.4"),
    "sleep": ("timeout", "within 0.4"),
    "illegal": ("illegal-move", ": it is "),
    "border": ("illegal-move", ": it is a border vertex of "),
    "other-border": ("illegal-move", ": it is a border vertex of "),
    "out-of-range": ("protocol", "answered vertex 36, but the vertices are 0 to 35; at ply "),
    "huge": ("protocol", "answered vertex -1, but the vertices are "),
}
PLACES = {"name": 0, "graph": 0, "propose": 0, "accept": 1, "color": 1, "play": 1}
"""Where a player can fail, and the ply at which it then does."""

AT_START = ("name", "graph")
CALLS = [
    (fault, place)
    for place in PLACES
    for fault in REASONS
    if place in ("propose", "play") or fault in ("crash", "abort", "exit", "hang", "sleep")
]


@pytest.mark.parametrize(("fault", "place"), slow_but(CALLS[::2], CALLS))
def test_a_fault_is_a_forfeit(fault, place, start, library, referee, monkeypatch):
    monkeypatch.setattr(foreign, "START_SECONDS", 0.4)
    reason, message = REASONS[fault]
    seat = 0 if place == "propose" else 1
    players = ["random", library("misbehave", fault=f"{fault}-{place}")]
    if seat == 0:
        players.reverse()
    result = referee(start, players, clock="400ms" if reason == "timeout" else "20s", within=10.0)
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
        assert ": it is occupied by " in the_fault(result).message


HARMLESS = [
    *(f"{noise}-{place}" for noise in ("noise", "noise-stderr") for place in PLACES),
    *(f"{color}-propose" for color in ("wrong-color", "no-color", "garbage-color")),
    *(f"{color}-play" for color in ("wrong-color", "no-color", "garbage-color")),
    *(f"{fault}-finalize" for fault in ("crash", "exit", "hang", "sleep", "noise")),
    *("null-name", "empty-name", "control-name", "long-name"),
]


@pytest.mark.parametrize("fault", HARMLESS)
def test_what_does_no_harm(fault, start, library, tmp_path, referee, monkeypatch):
    monkeypatch.setattr(foreign, "FINISH_SECONDS", 0.3)
    path = library("misbehave", fault=fault)
    players = [path, "random"] if "propose" in fault else ["random", path]
    if fault.endswith("finalize"):  # it is remarked in the record, so that is not the same again
        result = play_match(start, players, record=tmp_path / "record.jsonl")
    else:
        result = referee(start, players)
    assert (result.reason, result.faults) == ("finished", [])
    assert all(name.isprintable() and len(name) < 100 for name in result.names)


def test_a_missing_function(start, library, referee):
    fault = the_fault(referee(start, ["random", library("no_symbol")]))
    assert fault.reason == "no-start"
    assert "no_symbol.so has no function" in fault.message
