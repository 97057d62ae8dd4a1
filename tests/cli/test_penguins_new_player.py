"""``ludograph player new penguins``: what it writes compiles without a warning and plays well."""

import json

import pytest

from ludograph.games.penguins.options import TILINGS
from tests.amounts import slow_but
from tests.cli.new_players import made, needs_gcc, run_watched
from tests.cli.run import succeed


def games(tiling, count, *players):
    """Play games with seats exchanged; return how many the first player wins."""
    found = json.loads(
        succeed("penguins", 3, tiling, 8, 7, "-r", count, "--seed", 1, "--json", *players)
    )
    assert [player["forfeits"] for player in found["players"]] == [{}] * len(players)
    return sum(found["players"][0]["wins"].values())


@pytest.mark.slow
@pytest.mark.parametrize("tiling", slow_but(["full-hexa"], TILINGS))
def test_the_python_player_plays_at_once(tiling, folder):
    text = succeed("player", "new", "penguins", "my_bot.py")
    assert text.endswith("Next:\n  ludograph penguins my_bot.py random\n")
    assert games(tiling, 4, "my_bot.py", "random") >= 3


@pytest.mark.slow
def test_the_python_player_at_a_table(folder):
    succeed("player", "new", "penguins", "my_bot.py")
    games("full-hexa", 3, "my_bot.py", "line", "my_bot.py")


@needs_gcc
@pytest.mark.slow
def test_a_c_player(folder):
    text = succeed("player", "new", "penguins", "my_bot.c")
    assert text.endswith("Next:\n  make\n  ludograph penguins my_bot.so random\n  make check\n")
    assert sorted(path.name for path in folder.iterdir()) == ["Makefile", "my_bot.c", "player.h"]
    assert "-lgsl" not in made()
    for tiling in TILINGS:
        assert games(tiling, 6, "my_bot.so", "random") >= 5
    assert games("full-hexa", 20, "my_bot.so", "line") >= 12
    torus = ["--board", "torus:5", "--penguins", 2]  # lines come back to their start
    assert "forfeits" not in succeed("penguins", *torus, "--seed", 1, "-q", "./my_bot.so", "random")
    games("penrose", 3, "my_bot.so", "my_bot.so", "my_bot.so")
    shown = succeed("penguins", 2, "full-hexa", 6, 6, "-q", "./my_bot.so", "line", "./my_bot.so")
    assert " fish " in shown  # whoever wins, or shares a draw
    assert "out" not in shown


HARNESS = r"""
#include "player.h"
#include <stdlib.h>

enum { W = 5, N = W * W };

/* Squares, one penguin each. What is handed over is freed at once, so that a sanitizer finds who
   looks at it later. */
int main()
{
  struct edge *edges = malloc(4 * N * sizeof *edges);
  int *fishes = malloc(N * sizeof *fishes), taken[N] = { 0 };
  for (int v = 0; v < N; v++) {
    int column = v % W;
    int near[] = { v - W, column < W - 1 ? v + 1 : -1, v + W, column > 0 ? v - 1 : -1 };
    for (int k = 0; k < 4; k++)
      edges[4 * v + k] = (struct edge){ v, near[k] < 0 || near[k] >= N ? NO_TILE : near[k] };
    fishes[v] = v % 2 == 0 ? 1 : 2;
  }
  init(0, N, edges, 4 * N, fishes, 2, 1);
  free(edges);
  free(fishes);
  struct move last, others = { 1, NO_TILE, 0 }; /* the other one places, and moves no more */
  taken[0] = 1;
  for (int turn = 0; turn < 8; turn++) {
    struct move *told = malloc(2 * sizeof *told);
    size_t size = 0;
    if (turn > 0)
      told[size++] = last;
    if (turn < 1)
      told[size++] = others;
    last = turn < 1 ? place(told, size) : play(told, size);
    free(told);
    if (last.player != 0 || last.dst < 0 || last.dst >= N || taken[last.dst]++)
      exit(1);
    if ((last.src == NO_TILE) != (turn < 1))
      exit(2);
  }
  done();
  return 0;
}
"""


@needs_gcc
def test_the_c_player_leaks_nothing_and_keeps_nothing_that_is_not_its_own(folder):
    succeed("player", "new", "penguins", "bot.c")
    run_watched(folder, HARNESS)
