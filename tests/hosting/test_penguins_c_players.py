"""C players play whole games of Penguins; a fault eliminates its player, and the others go on.

The C players keep their own boards from what they are told, and abort if it does not fit.
"""

import pytest

from ludograph import InvalidInput, boards, penguins, play_match
from ludograph.hosting import foreign_player
from tests.amounts import slow_but
from tests.games.penguins.boards import TILINGS, tangle
from tests.hosting.c_players import EVENTS
from tests.hosting.fixtures import the_fault


@pytest.fixture(scope="session")
def library(libraries):
    """Return a function that compiles a C player of Penguins once and returns its path."""
    return libraries("penguins")


def ice(tiling="full-hexa", seats=2, seed=1):
    return penguins.position(penguins.board(tiling, 6, 6), seats=seats, penguins=2, seed=seed)


@pytest.fixture
def faithful(monkeypatch):
    """Nobody is eliminated: let players abort when they are told of one that still has moves."""
    monkeypatch.setenv("LUDOGRAPH_FAITHFUL", "1")


ROSTERS = [
    ["wanderer", "checks"],
    ["checks", "line"],
    ["random", "wanderer"],
    ["wanderer", "wanderer", "wanderer"],
    ["line", "wanderer", "checks"],
    ["wanderer", "checks", "random", "wanderer", "line"],
]


PAIRINGS = [
    pytest.param(
        tiling,
        roster,
        id=f"{tiling}-{'-'.join(roster)}",
        marks=() if tiling == TILINGS[0] or place in (0, 3) else pytest.mark.slow,
    )
    for tiling in TILINGS
    for place, roster in enumerate(ROSTERS)
]


@pytest.mark.usefixtures("faithful")
@pytest.mark.parametrize(("tiling", "roster"), PAIRINGS)
def test_whole_games_on_all_tilings(tiling, roster, library, referee):
    own = {"wanderer": library("random_legal"), "checks": library("check_edges")}
    result = referee(
        ice(tiling, len(roster)), [own.get(name, name) for name in roster], seed=len(tiling)
    )
    assert (result.reason, result.faults) == ("finished", [])


@pytest.mark.usefixtures("faithful")
def test_many_games_against_ours(library, referee):
    """Boards so small that seats are shut in at every stage."""
    wanderer = library("random_legal")
    for seed in range(12):
        start = penguins.position(
            penguins.board(TILINGS[seed % 5], 4, 4), seats=4, penguins=2, seed=seed
        )
        result = referee(start, [wanderer, "random", wanderer, "random"], seed=seed)
        assert (result.reason, result.faults) == ("finished", [])


FIRST = {"full-tetra": "-1 1 6 -1", "full-hexa": "-1 -1 3 6 -1 -1"}
"""What lies around tile 0, clockwise from the north."""


@pytest.mark.parametrize("tiling", TILINGS)
def test_sides_are_clockwise_from_the_north(tiling, library, referee, monkeypatch):
    start = ice(tiling)
    sides = start.board.sides
    first = FIRST.get(tiling) or " ".join(map(str, sides.neighbors[: sides.offsets[1]]))
    monkeypatch.setenv("LUDOGRAPH_FIRST_TILE", first)
    assert referee(start, [library("check_edges"), "random"]).faults == []


def test_lines_that_close(library, referee):
    start = penguins.position(boards.torus(4, 5), penguins=3, seed=4)
    result = referee(start, [library("random_legal"), library("check_edges")])
    assert (result.reason, result.faults) == ("finished", [])


def test_boards_that_the_interface_cannot_tell_are_refused(library):
    wanderer = library("random_legal")
    with pytest.raises(InvalidInput, match=r"tile \d+ lead to tile \d+"):
        play_match(penguins.position(tangle(3), penguins=1), [wanderer, "random"])


@pytest.mark.parametrize("seat", range(3))
def test_who_cannot_start_is_out_before_the_game(seat, library, referee):
    players = [library("random_legal"), library("check_edges")]
    players.insert(seat, library("no_symbol"))
    eliminated(referee(ice(seats=3), players), seat, "no-start")


def eliminated(result, seat, reason):
    """Check that one seat of several was eliminated and the others played on; return the fault."""
    assert result.reason == "finished"
    assert [(fault.seat, fault.reason) for fault in result.faults] == [(seat, reason)]
    fault = result.faults[0]
    assert result.outcome.scores[seat] == -1
    assert result.outcome.ranks[seat] == len(result.outcome.ranks)
    seats = [played.seat for played in result.moves[fault.ply :]]
    assert seat not in seats
    assert len(set(seats)) == len(result.outcome.ranks) - 1
    assert fault.message in result.sentence
    return fault


WRONG_PLACEMENTS = {
    "other-seat": " player 1",
    "no-seat": " player 1",
    "occupied": " seat 1 at ply",
    "two-fish": " fish; ",
    "with-source": " src ",
    "out-of-range": "no tile 36, ",
    "negative": "no tile -2147483648",
    "pass": "{1, NO_TILE, NO_TILE}, but its dst ",
}
WRONG_MOVES = {
    "other-seat": " player 1",
    "no-seat": " player 1",
    "occupied": " 1",  # no line leads there, or one that is not free
    "out-of-range": "no tile 36, ",
    "negative": "no tile -2147483648",
    "from-nowhere": "no tile 2147483647",
    "pass": "{1, NO_TILE, NO_TILE}, but its src ",
    "placement": " src ",
    "stay": "straight",
    "others": " penguin of player 1 ",
    "from-free": " penguin of player 1 ",
    "crooked": "1",  # no line leads there, or one that is not free
}


def reason_for(says):
    """Return the reason of a wrong answer: what names no tile is no move at all."""
    return "protocol" if says.startswith("no tile") else "illegal-move"


FAULTS = [
    *((f"{name}-{place}", told) for name, told in EVENTS.items() for place in ("place", "play")),
    *((f"{name}-place", (reason_for(says), says)) for name, says in WRONG_PLACEMENTS.items()),
    *((f"{name}-play", (reason_for(says), says)) for name, says in WRONG_MOVES.items()),
]


@pytest.mark.parametrize(("fault", "told"), slow_but(FAULTS[1::2], FAULTS), ids=str)
def test_with_two_seats_a_fault_is_a_forfeit(fault, told, library, referee):
    reason, message = told
    clock = "400ms" if reason == "timeout" else "20s"
    players = [library("random_legal"), library("misbehave", fault=fault)]
    found = the_fault(referee(ice(), players, clock=clock))
    assert found.reason == reason
    assert message in found.message
    assert (found.answer != "") == (reason == "illegal-move")
    assert found.ply == (1 if fault.endswith("place") else 5)


@pytest.mark.parametrize(("fault", "told"), slow_but(FAULTS[::4], FAULTS), ids=str)
def test_with_three_seats_the_others_go_on(fault, told, library, referee):
    reason, message = told
    clock = "400ms" if reason == "timeout" else "20s"
    players = [library("random_legal"), library("misbehave", fault=fault), library("check_edges")]
    result = referee(ice(seats=3), players, clock=clock)
    assert message in eliminated(result, 1, reason).message


LATER = [("crooked-play", 3), ("crash-place", 2), ("pass-place", 2), ("exit-play", 2)]


@pytest.mark.parametrize("seat", slow_but([0], [0, 1, 2]))
@pytest.mark.parametrize(("fault", "at"), LATER)
def test_any_seat_at_any_time(fault, at, seat, library, referee):
    players = [library("random_legal"), library("check_edges")]
    players.insert(seat, library("misbehave", fault=fault, fault_at=at))
    what, when = fault.split("-")
    reason = "crash" if what in ("crash", "exit") else "illegal-move"
    fault = eliminated(referee(ice(seats=3), players), seat, reason)
    assert fault.ply == 3 * (at - 1) + seat + (6 if when == "play" else 0)


def test_one_library_on_several_seats_of_which_one_fails(library, referee):
    player = library("misbehave", fault="two-fish-place", fault_seat=2)
    result = referee(ice(seats=4), [player] * 4)
    eliminated(result, 2, "illegal-move")


def test_when_all_others_are_eliminated_the_last_one_wins(library, referee):
    misbehave = library("misbehave", fault="crooked-play")
    result = referee(ice(seats=3), [misbehave, library("random_legal"), misbehave])
    assert [fault.seat for fault in result.faults] == [0, 2]
    assert result.winner == 1
    assert result.reason == "illegal-move"


def test_at_a_table_of_five_two_drop_out(library, referee):
    late = library("misbehave", fault="exit-place", fault_at=2)
    crooked = library("misbehave", fault="crooked-play", fault_at=2)
    wanderer, checks = library("random_legal"), library("check_edges")
    result = referee(ice("octo-tetra", 5), [wanderer, crooked, checks, late, wanderer])
    assert result.reason == "finished"
    assert [(fault.seat, fault.reason) for fault in result.faults] == [
        (3, "crash"),
        (1, "illegal-move"),
    ]
    assert [result.outcome.scores[seat] for seat in (1, 3)] == [-1, -1]
    assert {played.seat for played in result.moves[-3:]} <= {0, 2, 4}


@pytest.mark.parametrize("fault", ["crash", "exit", "hang"])
def test_a_fault_in_init(fault, library, referee, monkeypatch):
    monkeypatch.setattr(foreign_player, "START_SECONDS", 0.4)
    players = ["random", library("misbehave", fault=f"{fault}-init"), "line"]
    found = eliminated(referee(ice(seats=3), players), 1, "no-start")
    assert EVENTS[fault][1] in found.message
