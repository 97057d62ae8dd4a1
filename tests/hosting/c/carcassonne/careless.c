/* Plays the first legal place, never with a meeple; where there are no meeples it leaves that field
   of its answer zero, as players of the course do. */
#include "world.h"

static struct world_t world;

char const *get_player_name() { return "careless"; }

void initialize(unsigned int player_id, const struct move_t first_move,
                struct gameconfig_t config) {
    world_create(&world, player_id, first_move, config);
}

struct move_t play(const struct move_t previous_move, const struct tile_t tile) {
    struct move_t answer;
    world_follow(&world, previous_move, tile);
    struct move_t *mine = room((size_t)world_moves(&world, tile, NULL), sizeof(*mine));
    world_moves(&world, tile, mine);
    world_play(&world, mine[0]);
    memset(&answer, 0, sizeof(answer));
    answer.player_id = (enum player_color_t)world.me;
    answer.x = mine[0].x;
    answer.y = mine[0].y;
    answer.tile = mine[0].tile;
    if (world.mode != NO_MEEPLE)
        answer.meeple = NO_CONNECTION;
    free(mine);
    return answer;
}

void finalize() { world_free(&world); }
