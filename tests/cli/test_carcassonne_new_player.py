"""``ludograph player new carcassonne``: its players compile without a warning and play well."""

import pytest

from ludograph import carcassonne, play_match
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.setup import MODES
from tests.amounts import slow_but
from tests.cli.new_players import made, needs_gcc, run_watched
from tests.cli.run import succeed


def games(count, one, other, **options):
    """Play games with seats exchanged; return how many the first player wins."""
    wins = 0
    for seed in range(count):
        players = [one, other] if seed % 2 == 0 else [other, one]
        result = play_match(carcassonne.position(discard=True, **options), players, seed=seed)
        assert (result.reason, result.faults) == ("finished", [])
        wins += result.winner == seed % 2
    return wins


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("deck", slow_but(["course"], ["course", "classic"]))
def test_the_python_player_plays_at_once(deck, mode, folder):
    text = succeed("player", "new", "carcassonne", "my_bot.py")
    assert text.endswith("Next:\n  ludograph carcassonne my_bot.py random\n")
    assert games(2, "my_bot.py", "random", deck=deck, mode=mode) == 2


@needs_gcc
@pytest.mark.slow
def test_a_c_player(folder):
    text = succeed("player", "new", "carcassonne", "my_bot.c")
    assert text.endswith("Next:\n  make\n  ludograph carcassonne my_bot.so random\n  make check\n")
    assert sorted(path.name for path in folder.iterdir()) == ["Makefile", "my_bot.c", "player.h"]
    assert "-lgsl" not in made()
    for mode in MODES:
        for deck in ("course", "classic"):
            assert games(4, "my_bot.so", "random", deck=deck, mode=mode) == 4
        games(2, "my_bot.so", "my_bot.so", mode=mode, meeples=1)
        games(1, "my_bot.so", "random", mode=mode, deck=course(400))
    for more, said in (([], "no discard"), (["--discard"], "MEEPLE, discard")):
        lines = ("--seed", 1, "--deck", "course:6", *more, "my_bot.so", "random")
        assert f"{said}, seed 1" in succeed("carcassonne", *lines)


HARNESS = r"""
#include "player.h"
#include <stdlib.h>
#include <string.h>

void other_initialize(unsigned int, const struct move_t, struct gameconfig_t);
struct move_t other_play(const struct move_t, const struct tile_t);
void other_finalize();

static struct tile_t const init = {
  { 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 2, 1, 2 },
  { BROWN, BROWN, BROWN, GREEN, GRAY, GREEN, GREEN, GREEN, GREEN, GREEN, GRAY, GREEN, GRAY }
};
enum { SIZE = 40 };

/* A deck in blocks of their own, which the player frees. */
static struct gameconfig_t config()
{
  struct deck_t *deck = malloc(sizeof *deck);
  deck->deck = malloc(SIZE * sizeof *deck->deck);
  deck->size = deck->capacity = SIZE;
  for (int k = 0; k < SIZE; k++)
    deck->deck[k] = init;
  return (struct gameconfig_t){ FINITE_MEEPLE, 3, deck };
}

/* The player against itself, in one process; a sanitizer watches what is read and left. */
int main()
{
  struct move_t move = { SERVER, 0, 0, init, NO_CONNECTION };
  initialize(0, move, config());
  other_initialize(1, move, config());
  for (int turn = 0; turn < SIZE - 1; turn++) {
    move = turn % 2 == 0 ? play(move, init) : other_play(move, init);
    if ((int)move.player_id != turn % 2 || (move.x == 0 && move.y == 0))
      exit(1);
  }
  finalize();
  other_finalize();
  return 0;
}
"""


@pytest.mark.slow
@needs_gcc
def test_the_c_player_leaks_nothing_and_keeps_nothing_that_is_not_its_own(folder):
    succeed("player", "new", "carcassonne", "bot.c")
    names = ("initialize", "play", "finalize", "get_player_name")
    run_watched(folder, HARNESS, *(f"-D{name}=other_{name}" for name in names))
