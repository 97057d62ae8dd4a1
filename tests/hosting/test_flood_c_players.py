"""C players play whole legal games, on every board of the subject."""

import os
import shutil

import pytest

from ludograph import InvalidInput, boards, flood, play_match, play_series
from ludograph.errors import HostFailure
from ludograph.games.flood.native import FloodLibrary
from ludograph.hosting.forkserver_client import FORK_SERVERS
from ludograph.hosting.library_host import Loader

BOARDS = [boards.square(9), boards.donut(9), boards.hatched(9), boards.torus(8)]


@pytest.mark.parametrize("forbidden", [0, 2])
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_two_teams_and_ours_play_legal_games(board, forbidden, library, referee):
    start = flood.position(board, colors=7, forbidden=forbidden, seed=5)
    ours, theirs = library("greedy"), library("wanderer")
    checks = library("check_gsl")
    for players in ([ours, theirs], [theirs, "greedy"], [checks, "random"], ["random", checks]):
        result = referee(start, players)
        assert result.reason == "finished"
        assert result.faults == []


def test_the_same_file_on_both_seats(start, library, referee):
    in_c = referee(start, [library("greedy")] * 2)
    assert in_c.names == ("greedy.so “greedy”",) * 2
    in_python = play_match(start, ["greedy", "greedy"])
    assert [m.move for m in in_c.moves] == [m.move for m in in_python.moves]


def test_libraries_of_one_name_in_a_series(library, tmp_path):
    """Teams of a course build the same file names; libraries may have a version."""
    players = []
    for team in ("teamA", "teamB"):
        (tmp_path / team).mkdir()
        players.append(str(tmp_path / team / "libplayer1.so.1"))
        shutil.copy(library("greedy"), players[-1])
    series = play_series(
        lambda seed: flood.position(boards.square(6), colors=6, seed=seed), players, 2
    )
    assert [tally.name for tally in series.players] == [
        "teamA/libplayer1.so.1 “greedy”",
        "teamB/libplayer1.so.1 “greedy”",
    ]
    assert not any(tally.forfeits for tally in series.players)


def test_relative_paths(start, library, referee, monkeypatch):
    path = library("greedy")
    monkeypatch.chdir(os.path.dirname(path))
    assert referee(start, ["greedy.so", "./greedy.so"]).reason == "finished"


def test_what_it_prints_does_not_disturb(start, library, tmp_path):
    # The wanderer prints at every move, with a buffered stdout.
    result = play_match(start, [library("wanderer"), "random"], record=tmp_path / "r.jsonl")
    assert result.reason == "finished"


@pytest.mark.slow
def test_a_big_torus(library, referee):
    start = flood.position(boards.torus(316), colors=3, coloring="blocks", seed=1)
    result = referee(start, [library("passer"), library("passer")])
    assert result.reason == "finished"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"seats": 3}, " 2 seats"),
        ({"colors": 9}, "at most 8 colors"),
        ({"variant": "capture"}, "standard rules only"),
    ],
)
def test_games_that_the_interface_cannot_express(options, problem, library, tokens, tmp_path):
    start = flood.position(boards.square(8), seed=3, **{"colors": 6, **options})
    record = tmp_path / "record.jsonl"
    with pytest.raises(InvalidInput, match=problem):
        play_match(start, [library("greedy")] + ["random"] * (start.seats - 1), record=record)
    assert tokens == []
    assert not record.exists()


def test_a_game_under_way_cannot_be_joined(start, library):
    start.play(start.legal_moves()[0])
    with pytest.raises(InvalidInput, match=r"\bply 1\b"):
        play_match(start, [library("greedy"), "random"])


def test_without_libgsl_no_player_is_blamed(start, library, monkeypatch):
    class Needy(FloodLibrary):
        needs = (("libnowhere.so.7", "libnowhere.so"),)

    with pytest.raises(InvalidInput, match=r"libnowhere\.so\.7"):
        Loader(Needy().description())


@pytest.mark.slow
def test_a_host_that_does_not_come_up_is_our_fault(start, library, monkeypatch):
    FORK_SERVERS.close()  # of games before
    monkeypatch.setattr("ludograph.hosting.BOOTSTRAP", "/nowhere/bootstrap.py")
    with pytest.raises(HostFailure, match="did not start"):
        play_match(start, [library("greedy"), "random"])
