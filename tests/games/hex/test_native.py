"""C players of Hex: the opening is settled as the course's interface has it, then they play."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ludograph import InvalidInput, hex, play_match
from ludograph.games.hex import hex_board
from ludograph.games.hex.native import HexLibrary
from tests.amounts import slow_but

BOARD = hex_board(5, "h")


@pytest.fixture
def player(tmp_path: Path):
    (tmp_path / "player.h").write_text(HexLibrary.header)
    shutil.copy(Path(__file__).with_name("tester.c"), tmp_path)

    def build(name: str, board=BOARD, **defines: object) -> str:
        borders = sum(len(vertices) for vertices in board.marks.values())
        defines |= {"BORDERS": borders, "LINKS": 2 * board.edge_count}
        path = tmp_path / f"{name}.so"
        command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        command += [f"-D{key}={value}" for key, value in defines.items()]
        command += [str(tmp_path / "tester.c"), "-o", str(path)]
        subprocess.run([*command, "-lgsl", "-lgslcblas", "-lm"], check=True)
        return str(path)

    return build


@pytest.mark.parametrize("accepts", [0, 1])
@pytest.mark.parametrize("kind", "hct")
def test_both_sides_in_c(player, kind: str, accepts: int) -> None:
    board = hex_board(5, kind)
    path = player(f"tester{kind}{accepts}", board, ACCEPTS=accepts)
    start = hex.position(board)
    result = play_match(start, [path, path])
    assert result.reason == "finished", result.sentence
    assert (start.board.n in [m.move for m in result.moves]) == (not accepts)
    moves = [m.move for m in result.moves if m.move != start.board.n]
    assert moves == start.setup.free.tolist()[: len(moves)]


@pytest.mark.slow
@pytest.mark.parametrize("opponent", slow_but(["random"], ["random", "mcts:sims=300"]))
def test_against_ours_on_both_seats(player, opponent: str) -> None:
    start = hex.position(BOARD)
    path = player("tester")
    refuser = player("refuser", ACCEPTS=0)
    for players in ([path, opponent], [opponent, path], [refuser, opponent], [opponent, refuser]):
        for seed in range(3):
            result = play_match(start, players, seed=seed)
            assert result.reason == "finished", result.sentence


@pytest.mark.slow
def test_an_opening_that_is_taken(player) -> None:
    start = hex.position(BOARD)
    strong = player("strong", OPENING=15)  # c2 wins, so our search takes it
    result = play_match(start, [strong, "mcts:sims=3000"], seed=1)
    assert result.moves[1].move == start.board.n
    assert result.reason == "finished", result.sentence


@pytest.mark.parametrize(("defines", "seat"), [({"OPENING": 0}, 0), ({"WRONG": 3}, 1)])
def test_illegal_moves_lose(player, defines, seat: int) -> None:
    wrong = player("wrong", **defines)
    players = ["random", "random"]
    players[seat] = wrong
    result = play_match(hex.position(BOARD), players)
    assert result.reason == "illegal-move", result.sentence
    assert result.outcome.winner == 1 - seat


@pytest.mark.parametrize("wrong", ["36", "9999", "(size_t)-1"])
def test_a_number_that_is_no_vertex_is_no_swap(player, wrong: str) -> None:
    result = play_match(hex.position(BOARD), [player("wrong", OPENING=wrong), "random"])
    assert result.reason == "protocol", result.sentence
    assert result.outcome.winner == 1


def test_without_the_pie_rule_there_is_no_c_interface(player) -> None:
    with pytest.raises(InvalidInput, match="pie"):
        play_match(hex.position(BOARD, pie=False), [player("tester"), "random"])
