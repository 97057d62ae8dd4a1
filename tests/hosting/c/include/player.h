#ifndef _FLOOD_PLAYER_H_
#define _FLOOD_PLAYER_H_

#include "color.h"
#include "graph.h"
#include "move.h"

/* The player's name, an [a-zA-Z0-9 -_]* string. */
char const *get_player_name();

/* `graph` and `colors` are heap-allocated copies that the player frees; called once. */
void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]);

/* The next move; `previous_move` is NO_COLOR for the first move of the game. */
struct move_t play(struct move_t previous_move);

/* The end of the game; everything allocated must have been freed after it. */
void finalize();

#endif
