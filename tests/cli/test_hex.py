"""``ludograph hex`` and ``ludograph htp``: matches, their options, pictures, SGF, new players."""

import json
import sys

import pytest

from ludograph import boards
from ludograph.boards import save
from ludograph.games.hex import hex_board
from tests.cli.new_players import made, needs_gcc, run_watched
from tests.cli.run import in_terminal, refuse, run, succeed


def played(*arguments):
    return json.loads(succeed("hex", "--json", "--seed", 1, *arguments))


@pytest.mark.parametrize(
    ("options", "name", "vertices"),
    [
        ([], "hexagonal:11", 169),
        (["-m", 4], "hexagonal:3", 25),
        (["--size", 4], "hexagonal:4", 36),
        (["-m", 4, "-t", "c"], "square:3", 25),
        (["--size", 4, "-t", "c"], "square:4", 36),
        (["-m", 4, "-t", "t"], "triangular:4", 96),
    ],
)
def test_boards(options, name, vertices):
    found = played(*options, "random", "random")
    assert found["board"] == {"name": name, "vertices": vertices}
    assert found["reason"] == "finished"


def test_a_board_from_a_file(folder):
    save(hex_board(4, "t").with_marks(hex_board(4, "t").marks, name="mine"), folder / "mine.json")
    save(boards.square(4), folder / "square.json")
    found = played("--board", "mine.json", "random", "random")
    assert found["board"]["vertices"] == 96
    assert "'black'" in refuse("hex", "--board", "square.json", "random", "mcts")


def test_in_a_terminal():
    seen = in_terminal(
        "hex", "--size", 4, "--seed", 1, "--delay", 0, "random", "random", columns=70, lines=30
    )
    assert seen.code == 0
    empty = seen.frames[0].splitlines()  # stones cover the numbers of their rows
    rows = [row for row in empty if row.lstrip()[:1] in tuple("1234")][:4]
    indents = [len(row) - len(row.lstrip()) for row in rows]
    assert indents == sorted(set(indents))
    assert {"0 random, black", "1 random, white"} <= {row.strip(" ▸") for row in seats(seen.frames)}


def seats(frames):
    return [row for frame in frames for row in frame.splitlines() if "random," in row]


@pytest.mark.slow
def test_a_program_that_speaks_htp():
    engine = f"htp: {sys.executable} -m ludograph htp --strategy random"
    found = played("--size", 4, engine, engine)
    assert found["reason"] == "finished"
    assert all("“Ludograph”" in player["name"] for player in found["players"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["h", "c", "t"])
def test_a_python_player_plays_at_once(kind, folder):
    assert "ludograph hex my_bot.py random" in succeed("new-player", "hex", "my_bot.py")
    found = json.loads(
        succeed("hex", "-m", 5, "-t", kind, "-r", 4, "--seed", 1, "--json", "my_bot.py", "random")
    )
    assert found["players"][0]["forfeits"] == {}
    mine, other = (sum(player["wins"].values()) for player in found["players"])
    assert mine > other


@pytest.mark.slow
@needs_gcc
def test_a_c_player_plays_at_once(folder):
    succeed("new-player", "hex", "my_bot.c")
    made()
    for kind in ("h", "c", "t"):
        options = ("-m", 5, "-t", kind, "-r", 4, "--seed", 1, "--json")
        found = json.loads(succeed("hex", *options, "my_bot.so", "random"))
        assert found["players"][0]["forfeits"] == {}
        mine, other = (sum(player["wins"].values()) for player in found["players"])
        assert mine >= other
    found = json.loads(succeed("hex", "--size", 6, "-r", 2, "--json", "my_bot.so", "my_bot.so"))
    assert found["players"][0]["forfeits"] == {}


HARNESS = r"""
#include "player.h"
#include <stdlib.h>

static struct move_t opponents(int *owner, enum color_t color)
{
  struct move_t move = { 0, color };
  while (owner[move.m])
    move.m++;
  owner[move.m]++;
  return move;
}

static void play_game(int proposes, int is_accepted)
{
  enum { W = 5, N = W * W };
  struct graph_t *graph = malloc(sizeof *graph);
  int owner[N] = { 0 };
  graph->num_vertices = N;
  graph->t = gsl_spmatrix_alloc(N, N);
  graph->o = gsl_spmatrix_alloc(2, N);
  int steps[] = { 1, W, W - 1 };
  for (int v = 0; v < N; v++)
    for (int k = 0; k < 3; k++) {
      int near = v + steps[k], column = v % W;
      if (near < N && !(k == 0 && column == W - 1) && !(k == 2 && column == 0)) {
        gsl_spmatrix_set(graph->t, v, near, 1);
        gsl_spmatrix_set(graph->t, near, v, 1);
      }
    }
  for (int v = 0; v < N; v++) {
    int row = v / W, column = v % W;
    int black = (row == 0 && column < W - 1) || (row == W - 1 && column > 0);
    int white = !black && (row == 0 || row == W - 1 || column == 0 || column == W - 1);
    owner[v] = black || white;
    if (owner[v])
      gsl_spmatrix_set(graph->o, white, v, 1);
  }
  initialize_graph(graph);
  struct move_t move = { W + 1, BLACK };
  if (proposes)
    move = propose_opening();
  else
    is_accepted = accept_opening(move) != 0;
  owner[move.m]++;
  enum color_t color = proposes == is_accepted ? BLACK : WHITE;
  initialize_color(color);
  if (color == BLACK)
    move = opponents(owner, WHITE);
  for (int turn = 0; turn < 3; turn++) {
    move = play(move);
    if (owner[move.m]++)
      exit(1);
    move = opponents(owner, 1 - color);
  }
  finalize();
}

int main(int argc, char **argv)
{
  (void)argv;
  play_game(argc > 1, argc > 2);
  return 0;
}
"""


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("arguments", [[], ["p"], ["p", "a"]])
def test_the_c_player_leaks_nothing(arguments, folder):
    succeed("new-player", "hex", "bot.c")
    run_watched(folder, HARNESS, libraries=["-lgsl", "-lgslcblas", "-lm"], arguments=arguments)


def test_interrupting_an_engine_leaves_no_trace():
    done = run("htp", "--strategy", "random", input="name\n")
    assert (done.returncode, done.stdout) == (0, "= Ludograph\n\n")
