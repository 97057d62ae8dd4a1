"""C players of Hex: the opening is settled as the course's interface has it, then they play."""

import subprocess
from pathlib import Path

import pytest

from ludograph import InvalidInput, hex, play_match
from ludograph.games.hex import hex_board
from ludograph.games.hex.native import HexLibrary
from tests.amounts import slow_but

PLAYER = r"""
#include <stdio.h>
#include <stdlib.h>
#include "player.h"

#ifndef OPENING
#define OPENING first_free()
#endif
#ifndef ACCEPTS
#define ACCEPTS 1
#endif

static struct graph_t *graph;
static enum color_t color = NO_COLOR;
static size_t opening = (size_t) -1;

static size_t first_free(void) {
  for (size_t v = 0; v < graph->num_vertices; v++)
    if (gsl_spmatrix_get(graph->o, 0, v) == 0 && gsl_spmatrix_get(graph->o, 1, v) == 0)
      return v;
  abort();
}

static void expect(int right, char const *what) {
  if (!right) { fprintf(stderr, "wrong: %s\n", what); abort(); }
}

char const *get_player_name() { return "tester"; }

void initialize_graph(struct graph_t *given) {
  graph = given;
  size_t n = graph->num_vertices, links = 0;
  expect(graph->t->size1 == n && graph->t->size2 == n, "size of t");
  expect(graph->o->size1 == 2 && graph->o->size2 == n, "size of o");
  expect(GSL_SPMATRIX_ISCOO(graph->t) && GSL_SPMATRIX_ISCOO(graph->o), "format");
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < n; v++) {
      expect(gsl_spmatrix_get(graph->t, u, v) == gsl_spmatrix_get(graph->t, v, u), "symmetry");
      links += gsl_spmatrix_get(graph->t, u, v) == 1.0;
    }
  expect(links == gsl_spmatrix_nnz(graph->t), "entries of t");
  expect(gsl_spmatrix_nnz(graph->o) == BORDERS && links == LINKS, "numbers of the board");
}

struct move_t propose_opening() {
  opening = OPENING;
  struct move_t move = { opening, NO_COLOR }; /* as careless as real ones */
  return move;
}

int accept_opening(const struct move_t move) {
  expect(move.c == BLACK, "color of the opening");
  opening = move.m;
  return ACCEPTS;
}

void initialize_color(enum color_t id) {
  expect(color == NO_COLOR, "colors are settled once");
  expect(opening != (size_t) -1, "the opening comes before the colors");
  color = id;
  if (color == BLACK)
    gsl_spmatrix_set(graph->o, 0, opening, 1);
}

struct move_t play(struct move_t previous) {
  expect(previous.c == (enum color_t) (1 - color), "color of the previous move");
  expect(gsl_spmatrix_get(graph->o, 0, previous.m) == 0
         && gsl_spmatrix_get(graph->o, 1, previous.m) == 0, "the previous move is news");
  gsl_spmatrix_set(graph->o, previous.c, previous.m, 1);
  struct move_t move = { first_free(), color };
#ifdef WRONG
  move.m = WRONG;
#endif
  gsl_spmatrix_set(graph->o, color, move.m % graph->num_vertices, 1);
  return move;
}

void finalize() {
  gsl_spmatrix_free(graph->t);
  gsl_spmatrix_free(graph->o);
  free(graph);
}
"""

BOARD = hex_board(5, "h")


@pytest.fixture
def player(tmp_path: Path):
    (tmp_path / "player.h").write_text(HexLibrary.header)
    (tmp_path / "tester.c").write_text(PLAYER)

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
