#ifndef _HEX_PLAYER_H_
#define _HEX_PLAYER_H_

#include "color.h"
#include "graph.h"
#include "move.h"

/* The player's name. */
char const *get_player_name();

/* The opening stone, which is always BLACK; only asked of the first player. */
struct move_t propose_opening();

/* Non-zero accepts the opening; zero refuses it and takes BLACK. Only asked of the second. */
int accept_opening(const struct move_t opening);

/* `graph` is a heap-allocated copy that the player frees; called once, before all else. */
void initialize_graph(struct graph_t *graph);

/* The player's color; called once, when the opening is settled. WHITE moves next. */
void initialize_color(enum color_t id);

/* The next move; `previous_move` is the opponent's, the first one of WHITE the opening. */
struct move_t play(struct move_t previous_move);

/* The end of the game; everything allocated must have been freed after it. */
void finalize();

#endif
