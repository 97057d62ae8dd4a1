"""C players play whole games of Carcassonne; a fault is a forfeit with its reason.

The C players keep their own worlds from what they are told, and abort if it does not fit.
"""

import subprocess
from pathlib import Path

import pytest

from ludograph import InvalidInput, carcassonne, play_match
from ludograph.games.carcassonne.decks import Deck, Kind, course, tile
from ludograph.games.carcassonne.native import CarcassonneLibrary
from ludograph.games.carcassonne.setup import MODES
from tests.amounts import slow_but
from tests.hosting.c.carcassonne.build import build
from tests.hosting.c_players import EVENTS
from tests.hosting.fixtures import the_fault


@pytest.fixture(scope="session")
def library(libraries):
    """Return a function that compiles a C player of Carcassonne once and returns its path."""
    return libraries("carcassonne")


def country(mode="finite", deck="classic", meeples=3, *, discard=True):
    """Return the start of a game; with `discard` it ends with the deck."""
    return carcassonne.position(deck=deck, mode=mode, meeples=meeples, discard=discard)


SEATINGS = [["wanderer", "wanderer"], ["wanderer", "random"], ["random", "wanderer"]]


@pytest.mark.slow
@pytest.mark.parametrize("seating", SEATINGS, ids="-".join)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("deck", ["classic", "course"])
def test_whole_games(deck, mode, seating, library, referee):
    players = [library("random_legal") if name == "wanderer" else name for name in seating]
    start = country(mode, deck)
    result = referee(start, players, seed=len(mode))
    assert (result.reason, result.faults) == ("finished", [])
    deals = [played for played in result.moves if played.seat is None]
    assert len(deals) == start.setup.tiles - 1


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_many_short_games(mode, library, referee):
    """So many that meeples come back, several are in one component, tiles have no place."""
    wanderer = library("random_legal")
    for seed in range(6):
        start = country(mode, course(30), meeples=1 + seed, discard=seed % 2 == 0)
        result = referee(start, [wanderer, wanderer], seed=seed)
        assert (result.reason, result.faults) == ("finished", [])


@pytest.mark.slow
def test_a_large_deck(library, referee):
    result = referee(country(deck=course(400)), [library("random_legal")] * 2, seed=4)
    assert (result.reason, result.faults) == ("finished", [])


STRANGE = Deck(
    tile("000 000 000 000 0", "F"),
    (
        Kind("one", tile("888 888 777 888 7", "FFFFFFFCC"), 3),
        Kind("other", tile("333 111 333 111 1", "FFFF"), 4),
        Kind("same, turned", tile("111 333 111 333 3", "FFFF"), 4),
    ),
)
"""Components that are numbered in no order; kinds of equal tiles."""


@pytest.mark.parametrize("mode", MODES)
def test_a_deck_with_components_in_no_order(mode, library, referee):
    result = referee(country(mode, STRANGE), [library("random_legal")] * 2)
    assert (result.reason, result.faults) == ("finished", [])


@pytest.mark.slow
@pytest.mark.usefixtures("unisolated")
def test_what_is_handed_over_is_the_players_to_free(tmp_path, referee, monkeypatch):
    """A player under a sanitizer, which knows the blocks of the C allocator and no others."""
    sanitizer = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=False
    ).stdout.strip()
    try:
        flags = ["-g", "-fsanitize=address,undefined"]
        player = str(build("random_legal", tmp_path, flags=flags))
    except RuntimeError as error:
        pytest.skip(f"unavoidable: no sanitizers: {str(error)[-200:]}")
    monkeypatch.setenv("LD_PRELOAD", sanitizer)
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")  # Python's own
    monkeypatch.setenv("UBSAN_OPTIONS", "halt_on_error=1")
    result = referee(country(), [player, player])
    assert (result.reason, result.faults) == ("finished", [])


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("deck", slow_but(["course"], ["classic", "course"]))
def test_libigraph_need_not_be_listed(deck, mode, library, referee):
    player = library("uses_igraph")
    assert b"libigraph" not in Path(player).read_bytes()
    for players in ([player, library("random_legal")], ["random", player], [player, player]):
        result = referee(country(mode, deck), players, seed=2)
        assert (result.reason, result.faults) == ("finished", [])


@pytest.fixture
def no_igraph(tmp_path, monkeypatch):
    """Let the loader find files in place of libigraph that are no libraries."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    for name, *others in CarcassonneLibrary.wants:
        for one in (name, *others):
            (folder / one).touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))


@pytest.mark.slow
@pytest.mark.usefixtures("no_igraph")
def test_without_libigraph_who_needs_it_is_told_which_package(library, referee):
    result = referee(country(), [library("random_legal"), library("uses_igraph")])
    fault = the_fault(result)
    assert fault.reason == "no-start"
    for named in ("igraph_empty in initialize", library("uses_igraph"), "libigraph3", "-dev"):
        assert named in fault.message
    assert fault.message in result.sentence


@pytest.mark.slow
@pytest.mark.usefixtures("no_igraph")
def test_without_libigraph_others_play_on(library, referee):
    result = referee(country(), [library("random_legal")] * 2)
    assert (result.reason, result.faults) == ("finished", [])


@pytest.mark.slow
@pytest.mark.usefixtures("no_igraph")
def test_who_lists_libigraph_is_told_the_package_too(tmp_path, library, referee):
    player = build("uses_igraph", tmp_path, libraries=["-ligraph"])
    fault = the_fault(referee(country(), [library("random_legal"), str(player)]))
    assert fault.reason == "no-start"
    assert "libigraph.so.3: file too short" in fault.message


def test_more_than_two_seats_are_refused(library):
    start = carcassonne.position(seats=3)
    with pytest.raises(InvalidInput, match=r"^carcassonne: .* 2 seats.* 3$"):
        play_match(start, [library("random_legal"), "random", "random"])


@pytest.mark.parametrize("at", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("event", EVENTS)
def test_a_fault_is_a_forfeit(event, at, library, referee):
    reason, message = EVENTS[event]
    clock = "400ms" if reason == "timeout" else "20s"
    misbehave = library("misbehave", fault=f"{event}-play", fault_at=at)
    players = [library("random_legal"), misbehave]
    fault = the_fault(referee(country(), players, clock=clock))
    assert fault.reason == reason
    assert message in fault.message
    assert fault.ply == 4 * at - 1  # deals are plies


WRONG = {
    "other-seat": ("{0, ", " player 1"),
    "server": ("{-1, ", " player 1"),
    "other-terrain": (
        "another tile, ",
        " dealt tile, ",
        " other terrains",
    ),
    "other-components": (
        "another tile, ",
        " dealt tile, ",
        ": turned by ",
        " other components",
    ),
    "garbage": ("another tile, ", " dealt tile"),
    "occupied": ("{1, 0, 0, r", " 0,0 "),
    "alone": ("{1, 1000, ", " 1000,"),
    "far": ("{1, 2147483647, -2147483648, r", " 2147483647,"),
    "mismatched": (", NO_CONNECTION}", " match ", " tile at "),
    "claimed": ("{1, ", " meeple of player "),
    "no-vertex": (", 13}", " meeple, 13, ", "0 (NW) to 12 (CENTER)", "NO_CONNECTION (14)"),
    "below-vertices": (", -1}", " meeple, -1, "),
}


@pytest.mark.parametrize("at", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_answer_is_refused_with_its_sentence(wrong, at, library, referee):
    refused(wrong, at, WRONG[wrong], "infinite", library, referee)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("deck", slow_but(["course"], ["classic", "course"]))
def test_whole_games_of_a_player_that_leaves_meeple_zero(deck, mode, library, referee):
    careless, wanderer = library("careless"), library("random_legal")
    for seed, players in enumerate(([careless, wanderer], [wanderer, careless], [careless] * 2)):
        result = referee(country(mode, deck), players, seed=seed)
        assert (result.reason, result.faults) == ("finished", [])


def test_a_meeple_too_many(library, referee):
    says = ("{1, ", " player 1 ", " meeple left")
    refused("none-left", 1, says, "finite", library, referee)


def refused(wrong, at, says, mode, library, referee):
    """Check that seat 1 loses by its answer and that the sentence tells why."""
    misbehave = library("misbehave", fault=f"{wrong}-play", fault_at=at)
    players = [library("random_legal"), misbehave]
    result = referee(country(mode, meeples=2), players, seed=5)
    fault = the_fault(result)
    assert fault.reason == "illegal-move"
    for part in says:
        assert part in fault.message
        assert part in result.sentence
    assert fault.answer
    assert fault.answer in fault.message
