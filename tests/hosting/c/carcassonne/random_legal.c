/* Plays any legal move, by rand(), in a world that it keeps from previous_move alone.

   In its answers the components of the tile have numbers of its own, as the interface allows.
   What was handed over by `initialize` is freed there. */
#include "world.h"

static struct world_t world;

char const *get_player_name() { return "random legal"; }

void initialize(unsigned int player_id, const struct move_t first_move,
                struct gameconfig_t config) {
    world_create(&world, player_id, first_move, config);
    srand(player_id + (unsigned)world.deck_size);
}

struct move_t play(const struct move_t previous_move, const struct tile_t tile) {
    world_follow(&world, previous_move, tile);
    int count = world_moves(&world, tile, NULL);
    expect(count > 0, "my turn, I have no move");
    struct move_t *mine = room((size_t)count, sizeof(*mine));
    world_moves(&world, tile, mine);
    struct move_t choice = mine[rand() % count];
    free(mine);
    world_play(&world, choice);
    for (int v = 0; v < MAX_CONNECTIONS; v++)
        choice.tile.t[v] = 1000 - 7 * choice.tile.t[v];
    return choice;
}

void finalize() {
    printf("random legal: bye, there are %d tiles\n", world.num_laid);
    world_free(&world);
}
