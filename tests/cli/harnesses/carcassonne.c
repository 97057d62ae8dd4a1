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
