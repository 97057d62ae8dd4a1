#ifndef _PENGUINS_PLAYER_H_
#define _PENGUINS_PLAYER_H_

#include <stddef.h>

struct edge {
    int src;
    int dst;
};

#define NO_TILE (-1)

/* src == NO_TILE: a placement on dst */
struct move {
    int player;
    int src;
    int dst;
};

void init(unsigned player, size_t nb_tiles, struct edge const *edges, size_t size_edges,
          int const *fishes, size_t nb_players, size_t nb_penguins_by_player);
struct move place(struct move const *placements, size_t size_placements);
struct move play(struct move const *moves, size_t size_moves);
void done(void);

#endif
