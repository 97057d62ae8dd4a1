/* The tiles on the table in the player's own memory, shared by the players of this team.
   They come from first_move and previous_move and from nothing else, and whatever the server tells
   must fit: a tile that is not of the deck or comes too often, a cell that is taken, sides that do
   not match, a meeple where there is one make the player abort.

   Components are not kept but walked, whenever something is to be known of one: slow and plain. */
#ifndef WORLD_H
#define WORLD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player.h"

#define RIM 12

struct world_t {
    int me;
    enum gamemode_t mode;
    int hands[NUM_PLAYERS]; /* meeples left, where they are finite */
    struct tile_t *deck;    /* what has not been seen yet comes first */
    int deck_size, num_unseen;
    struct move_t *laid;
    int num_laid;
    char *is_standing; /* of each move: whether its meeple is still there */
    int *marks;        /* of each vertex of each tile: the walk that came by last */
    int walk;
    int last; /* the player that moved last, or SERVER */
};

/* What a walk over a component has found. */
struct found_t {
    int num_vertices; /* merged ones counted once */
    int num_ends;     /* vertices on rims that face no tile */
    int meeples[NUM_PLAYERS];
};

static inline void expect(int is_right, char const *what) {
    if (is_right)
        return;
    fprintf(stderr, "the server is wrong about %s\n", what);
    fflush(stderr);
    abort();
}

static inline void *room(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    expect(memory != NULL, "memory");
    return memory;
}

/* --- tiles ------------------------------------------------------------------------------ */

static inline struct tile_t tile_rotate(struct tile_t tile) {
    struct tile_t turned = tile;
    for (int v = 0; v < RIM; v++) {
        turned.t[(v + 3) % RIM] = tile.t[v];
        turned.c[(v + 3) % RIM] = tile.c[v];
    }
    return turned;
}

/* Equal up to the numbers of the components. */
static inline int tile_equal(struct tile_t const *a, struct tile_t const *b) {
    for (int v = 0; v < MAX_CONNECTIONS; v++) {
        if (a->c[v] != b->c[v])
            return 0;
        for (int w = 0; w < v; w++)
            if ((a->t[v] == a->t[w]) != (b->t[v] == b->t[w]))
                return 0;
    }
    return 1;
}

static inline int tile_equal_turned(struct tile_t a, struct tile_t const *b) {
    for (int k = 0; k < 4; k++, a = tile_rotate(a))
        if (tile_equal(&a, b))
            return 1;
    return 0;
}

static inline void tile_check(struct tile_t const *tile) {
    for (int v = 0; v < MAX_CONNECTIONS; v++) {
        expect(tile->t[v] < MAX_CONNECTIONS, "a component");
        expect((int)tile->c[v] >= 0 && tile->c[v] <= MAHOGANY, "a terrain");
        for (int w = 0; w < v; w++)
            expect(tile->t[v] != tile->t[w] || tile->c[v] == tile->c[w],
                   "the terrain of a component");
    }
}

/* --- the table -------------------------------------------------------------------------- */

/* The number of the tile on a cell, or -1. */
static inline int world_at(struct world_t const *w, int x, int y) {
    for (int k = w->num_laid - 1; k >= 0; k--)
        if (w->laid[k].x == x && w->laid[k].y == y)
            return k;
    return -1;
}

/* The number of the tile that a vertex of the rim faces, or -1. */
static inline int world_beyond(struct world_t const *w, int x, int y, int vertex) {
    static int const right[] = {0, 1, 0, -1}, up[] = {1, 0, -1, 0};
    return world_at(w, x + right[vertex / 3], y + up[vertex / 3]);
}

static inline int facing(int vertex) { return (vertex / 3 + 2) % 4 * 3 + 2 - vertex % 3; }

static inline int world_fits(struct world_t const *w, int x, int y, struct tile_t const *tile) {
    int is_beside = 0;
    if (world_at(w, x, y) >= 0)
        return 0;
    for (int v = 0; v < RIM; v++) {
        int other = world_beyond(w, x, y, v);
        if (other >= 0 && w->laid[other].tile.c[facing(v)] != tile->c[v])
            return 0;
        is_beside |= other >= 0;
    }
    return is_beside;
}

static inline void walk_on(struct world_t *w, int k, int vertex, struct found_t *found) {
    struct move_t const *m = &w->laid[k];
    if (w->marks[k * MAX_CONNECTIONS + vertex] == w->walk)
        return;
    for (int v = 0; v < MAX_CONNECTIONS; v++)
        if (m->tile.t[v] == m->tile.t[vertex]) {
            w->marks[k * MAX_CONNECTIONS + v] = w->walk;
            found->num_vertices += 2;
            if (w->is_standing[k] && (int)m->meeple == v)
                found->meeples[m->player_id]++;
        }
    for (int v = 0; v < RIM; v++)
        if (m->tile.t[v] == m->tile.t[vertex]) {
            int other = world_beyond(w, m->x, m->y, v);
            if (other < 0) {
                found->num_ends++;
                continue;
            }
            found->num_vertices--; /* half of a vertex, as it was counted twice */
            walk_on(w, other, facing(v), found);
        }
}

static inline struct found_t world_walk(struct world_t *w, int k, int vertex) {
    struct found_t found = {0, 0, {0, 0}};
    w->walk++;
    walk_on(w, k, vertex, &found);
    expect(found.num_vertices % 2 == 0, "half a vertex");
    found.num_vertices /= 2;
    return found;
}

/* Puts a tile on the table, no meeple yet; returns its number. */
static inline int world_lay(struct world_t *w, struct move_t m) {
    w->is_standing[w->num_laid] = 0;
    w->laid[w->num_laid] = m;
    return w->num_laid++;
}

static inline int has_meeples(struct found_t found) { return found.meeples[0] + found.meeples[1]; }

/* Gives the meeples of a tile's closed components back. */
static inline void world_close(struct world_t *w, int k) {
    for (int v = 0; v < MAX_CONNECTIONS; v++) {
        struct found_t found = world_walk(w, k, v);
        if (found.num_ends || !has_meeples(found))
            continue;
        for (int i = 0; i < w->num_laid; i++)
            if (w->is_standing[i] &&
                w->marks[i * MAX_CONNECTIONS + (int)w->laid[i].meeple] == w->walk) {
                w->is_standing[i] = 0;
                w->hands[w->laid[i].player_id]++;
            }
    }
}

/* Takes a tile out of those that have not been seen. */
static inline void world_see(struct world_t *w, struct tile_t const *tile) {
    for (int k = 0; k < w->num_unseen; k++)
        if (tile_equal_turned(w->deck[k], tile)) {
            w->deck[k] = w->deck[--w->num_unseen];
            return;
        }
    expect(0, "a tile, the deck has no more of it");
}

/* Plays a move, of anybody, that must be legal. */
static inline void world_play(struct world_t *w, struct move_t m) {
    expect(m.player_id == BLACK || m.player_id == WHITE, "the number of a player");
    expect((int)m.player_id != w->last, "whose turn it was");
    expect(w->last != SERVER || m.player_id == BLACK, "who moves first");
    expect(w->num_laid < w->deck_size, "the number of moves");
    expect(world_fits(w, m.x, m.y, &m.tile), "a place, the tile does not fit");
    int k = world_lay(w, m);
    if (m.meeple != NO_CONNECTION) {
        expect(w->mode != NO_MEEPLE, "a meeple, there are none");
        expect((int)m.meeple >= 0 && m.meeple < MAX_CONNECTIONS, "the vertex of a meeple");
        expect(!has_meeples(world_walk(w, k, (int)m.meeple)), "a meeple, there is one already");
        expect(w->mode != FINITE_MEEPLE || w->hands[m.player_id] > 0, "a meeple, none is left");
        w->is_standing[k] = 1;
        w->hands[m.player_id]--;
    }
    world_close(w, k);
    w->last = (int)m.player_id;
}

/* --- the game --------------------------------------------------------------------------- */

/* Begins a game and frees the deck that was handed over. */
static inline void world_create(struct world_t *w, unsigned player, struct move_t first,
                                struct gameconfig_t config) {
    memset(w, 0, sizeof(*w));
    expect(player < NUM_PLAYERS, "the number of players");
    expect(config.mode == FINITE_MEEPLE ? config.meeples > 0 : config.meeples == 0, "the meeples");
    expect(config.deck->size >= 2 && config.deck->capacity >= config.deck->size, "the deck's size");
    size_t size = config.deck->size;
    w->me = (int)player;
    w->mode = config.mode;
    w->hands[BLACK] = w->hands[WHITE] = (int)config.meeples;
    w->deck = room(size, sizeof(struct tile_t));
    w->deck_size = w->num_unseen = (int)size;
    w->laid = room(size, sizeof(struct move_t));
    w->is_standing = room(size, 1);
    w->marks = room(size * MAX_CONNECTIONS, sizeof(int));
    w->last = SERVER;
    for (size_t k = 0; k < size; k++)
        tile_check(&config.deck->deck[k]);
    memcpy(w->deck, config.deck->deck, size * sizeof(struct tile_t));
    free(config.deck->deck);
    free(config.deck);
    expect(memcmp(&w->deck[0], &first.tile, sizeof(struct tile_t)) == 0, "the deck's first tile");
    expect((int)first.player_id == SERVER && first.x == 0 && first.y == 0, "the first move");
    expect(first.meeple == NO_CONNECTION, "a meeple of the server's");
    world_see(w, &first.tile);
    world_lay(w, first);
}

static inline void world_free(struct world_t *w) {
    free(w->deck);
    free(w->laid);
    free(w->is_standing);
    free(w->marks);
}

/* Takes in what the server tells before a turn of mine. */
static inline void world_follow(struct world_t *w, struct move_t previous, struct tile_t tile) {
    if ((int)previous.player_id == SERVER) {
        expect(w->num_laid == 1 && w->me == BLACK, "the server's move, told again");
        expect(memcmp(&previous, &w->laid[0], sizeof(previous)) == 0, "the first move");
    } else {
        expect((int)previous.player_id == 1 - w->me, "the opponent's number");
        world_see(w, &previous.tile);
        world_play(w, previous);
    }
    tile_check(&tile);
    world_see(w, &tile);
}

/* Lists my legal moves with a tile; returns how many. With `moves` NULL it only counts. */
static inline int world_moves(struct world_t *w, struct tile_t tile, struct move_t *moves) {
    int count = 0;
    for (int k = 0; k < 4; k++, tile = tile_rotate(tile))
        for (int i = 0; i < w->num_laid; i++)
            for (int side = 0; side < 4; side++) {
                int x = w->laid[i].x + (side == 1) - (side == 3);
                int y = w->laid[i].y + (side == 0) - (side == 2);
                struct move_t m = {(enum player_color_t)w->me, x, y, tile, NO_CONNECTION};
                if (!world_fits(w, x, y, &tile))
                    continue;
                if (moves != NULL)
                    moves[count] = m;
                count++;
                if (w->mode == NO_MEEPLE || (w->mode == FINITE_MEEPLE && w->hands[w->me] == 0))
                    continue;
                int laid = world_lay(w, m);
                for (int v = 0; v < MAX_CONNECTIONS; v++)
                    if (!has_meeples(world_walk(w, laid, v))) {
                        m.meeple = (enum conn_t)v;
                        if (moves != NULL)
                            moves[count] = m;
                        count++;
                    }
                w->num_laid--;
            }
    return count;
}

#endif
