/* A board of Penguins in the player's own memory, shared by the players of this team.
   It is kept up to date from what the server tells and from nothing else, and whatever the server
   tells must fit: an entry without a tile to go to, a move that is not legal, a turn that is not
   due, news told twice or not at all make the player abort.

   The server does not say who drops out: it is who is passed over. LUDOGRAPH_FAITHFUL says that no
   player of this game is eliminated: whoever drops out must then be without a move. */
#ifndef BOARD_H
#define BOARD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player.h"

enum { IS_FREE = -1, IS_MELTED = -2 };

struct board_t {
    int me;
    int num_tiles;
    int num_players;
    int *fish;
    int *row;      /* the sides of v are side[row[v]] .. side[row[v + 1] - 1] */
    int *side;
    int *owner;    /* a player, IS_FREE or IS_MELTED */
    int *waiting;  /* of each player: penguins to place */
    int *is_out;
    int last;      /* the player that placed or moved last, -1 if nobody has */
    int num_told;
    struct move answer; /* my last one */
    int has_answered;
};

static inline void expect(int is_right, char const *what) {
    if (is_right)
        return;
    fprintf(stderr, "the server is wrong about %s\n", what);
    fflush(stderr);
    abort();
}

static inline void *room(size_t count) {
    void *memory = malloc((count + 1) * sizeof(int));
    expect(memory != NULL, "memory");
    return memory;
}

static inline void board_create(struct board_t *b, unsigned player, size_t num_tiles,
                                struct edge const *edges, size_t num_edges, int const *fishes,
                                size_t num_players, size_t num_penguins) {
    memset(b, 0, sizeof(*b));
    b->me = (int)player;
    b->num_tiles = (int)num_tiles;
    b->num_players = (int)num_players;
    b->last = -1;
    b->fish = room(num_tiles);
    b->row = room(num_tiles + 1);
    b->side = room(num_edges);
    b->owner = room(num_tiles);
    b->waiting = room(num_players);
    b->is_out = room(num_players);
    expect(player < num_players, "the number of players");
    memcpy(b->fish, fishes, num_tiles * sizeof(int));
    size_t k = 0;
    for (int v = 0; v < b->num_tiles; v++) {
        b->owner[v] = IS_FREE;
        b->row[v] = (int)k;
        for (; k < num_edges && edges[k].src == v; k++)
            b->side[k] = edges[k].dst;
    }
    b->row[num_tiles] = (int)k;
    expect(k == num_edges, "the order of the edges");
    for (int p = 0; p < b->num_players; p++) {
        b->waiting[p] = (int)num_penguins;
        b->is_out[p] = 0;
    }
}

static inline void board_free(struct board_t *b) {
    free(b->fish);
    free(b->row);
    free(b->side);
    free(b->owner);
    free(b->waiting);
    free(b->is_out);
}

/* The number of the side of `tile` that leads to `near`; -1 if there is none. */
static inline int board_side_to(struct board_t const *b, int tile, int near) {
    for (int k = b->row[tile]; k < b->row[tile + 1]; k++)
        if (b->side[k] == near)
            return k - b->row[tile];
    return -1;
}

/* Lists the tiles that a penguin on `from` can slide to through its side k; returns how many. */
static inline int board_reach(struct board_t const *b, int from, int k, int *found) {
    int count = 0, tile = from;
    int next = b->side[b->row[tile] + k];
    while (next != NO_TILE && next != from && b->owner[next] == IS_FREE) {
        int sides = b->row[next + 1] - b->row[next];
        int entry = board_side_to(b, next, tile);
        found[count++] = next;
        tile = next;
        next = b->side[b->row[tile] + (entry + sides / 2) % sides];
    }
    return count;
}

/* Lists all moves of a player; returns how many, 0 for one that is blocked. */
static inline int board_moves(struct board_t const *b, int player, struct move *moves) {
    int count = 0, *found = room((size_t)b->num_tiles);
    for (int v = 0; v < b->num_tiles; v++)
        for (int k = 0; b->owner[v] == player && k < b->row[v + 1] - b->row[v]; k++) {
            int reached = board_reach(b, v, k, found);
            for (int i = 0; i < reached; i++, count++)
                if (moves != NULL)
                    moves[count] = (struct move){player, v, found[i]};
        }
    free(found);
    return count;
}

static inline int board_is_placing(struct board_t const *b) {
    for (int p = 0; p < b->num_players; p++)
        if (!b->is_out[p] && b->waiting[p] > 0)
            return 1;
    return 0;
}

static inline void board_drop(struct board_t *b, int player) {
    expect(player != b->me, "whose turn it was, mine is passed over");
    if (getenv("LUDOGRAPH_FAITHFUL") != NULL) {
        expect(!board_is_placing(b), "a player that drops out while penguins are placed");
        expect(board_moves(b, player, NULL) == 0, "a player that is passed over, it has moves");
    }
    b->is_out[player] = 1;
}

/* It is a player's turn: those who come before it have dropped out. */
static inline void board_turn_of(struct board_t *b, int player) {
    expect(!b->is_out[player], "a player that is out");
    for (int p = (b->last + 1) % b->num_players; p != player; p = (p + 1) % b->num_players)
        if (!b->is_out[p])
            board_drop(b, p);
}

static inline void board_play(struct board_t *b, struct move m) {
    expect(0 <= m.player && m.player < b->num_players, "the number of a player");
    expect(0 <= m.dst && m.dst < b->num_tiles, "a tile");
    board_turn_of(b, m.player);
    expect(b->owner[m.dst] == IS_FREE, "a tile that is not free");
    if (m.src == NO_TILE) {
        expect(board_is_placing(b), "a placement, all penguins stand");
        expect(b->fish[m.dst] == 1, "a placement on more than one fish");
        b->waiting[m.player]--;
    } else {
        int is_reached = 0, *found = room((size_t)b->num_tiles);
        expect(!board_is_placing(b), "a move, penguins are still to be placed");
        expect(0 <= m.src && m.src < b->num_tiles, "a tile");
        expect(b->owner[m.src] == m.player, "the owner of a penguin");
        for (int k = 0; k < b->row[m.src + 1] - b->row[m.src]; k++)
            for (int i = board_reach(b, m.src, k, found) - 1; i >= 0; i--)
                is_reached |= found[i] == m.dst;
        free(found);
        expect(is_reached, "a move that is no straight line over free tiles");
        b->owner[m.src] = IS_MELTED;
    }
    b->owner[m.dst] = m.player;
    b->last = m.player;
    b->num_told++;
}

/* Takes in a history, which must begin with my last answer and end when it is my turn. */
static inline void board_follow(struct board_t *b, struct move const *moves, size_t num_moves,
                                int is_place) {
    expect(moves != NULL, "an empty history, it is NULL");
    if (b->has_answered) {
        expect(num_moves > 0, "a history without my last move");
        expect(memcmp(&moves[0], &b->answer, sizeof(struct move)) == 0, "my last move");
    }
    for (size_t k = 0; k < num_moves; k++) {
        expect(k == 0 || moves[k].player != b->me, "a move of mine, told twice");
        board_play(b, moves[k]);
    }
    board_turn_of(b, b->me);
    expect((b->waiting[b->me] > 0) == is_place, "whether I place or play");
    expect(is_place || !board_is_placing(b), "the end of the placements");
}

/* Returns an answer, which the next history must begin with. */
static inline struct move board_answer(struct board_t *b, struct move answer) {
    b->answer = answer;
    b->has_answered = 1;
    return answer;
}

#endif
