/* Lacks `play`: must be refused when it is loaded. */
#include "player.h"

char const *get_player_name() { return "no symbol"; }

void initialize(unsigned int player_id, const struct move_t first_move,
                struct gameconfig_t config) {
    (void)player_id, (void)first_move, (void)config;
}

void finalize() {}
