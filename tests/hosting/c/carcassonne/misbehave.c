/* A player with one switch per fault.

   The switches of switches.h name the fault: what is wrong and in which function, as in "hang-play"
   (see the tables below). A fault of `play` occurs at the first call, from the number on that they
   name, at which it is possible. All else is legal: it puts a meeple wherever it can. */
#define _DEFAULT_SOURCE
#include <limits.h>

#include "../faults.h"
#include "../switches.h"
#include "world.h"

static struct world_t world;
static int num_calls;

static int fault_is_in(char const *what, char const *place) {
    char name[64];
    snprintf(name, sizeof(name), "%s-%s", what, place);
    return strcmp(FAULT, name) == 0;
}

/* --- bad moves: "occupied-play" ... ------------------------------------------------------ *
   Each returns 0 if it is not possible now. */

static int in_another_name(struct move_t *m) {
    m->player_id = (enum player_color_t)(1 - world.me);
    return 1;
}

static int in_the_servers_name(struct move_t *m) {
    m->player_id = SERVER;
    return 1;
}

static int other_terrain(struct move_t *m) {
    m->tile.c[CENTER] = PURPLE;
    m->tile.t[CENTER] = 12;
    return 1;
}

static int other_components(struct move_t *m) {
    for (int v = 0; v < MAX_CONNECTIONS; v++)
        m->tile.t[v] = (unsigned)v;
    return 1;
}

static int garbage(struct move_t *m) {
    memset(&m->tile, 0xff, sizeof(m->tile));
    return 1;
}

static int occupied(struct move_t *m) {
    m->x = m->y = 0;
    return 1;
}

static int alone(struct move_t *m) {
    m->x = 1000;
    return 1;
}

static int far_away(struct move_t *m) {
    m->x = INT_MAX;
    m->y = INT_MIN;
    return 1;
}

/* On a free cell beside a tile that it does not fit to. */
static int mismatched(struct move_t *m) {
    m->meeple = NO_CONNECTION;
    for (int k = 0; k < 4; k++, m->tile = tile_rotate(m->tile))
        for (int i = 0; i < world.num_laid; i++) {
            m->x = world.laid[i].x;
            m->y = world.laid[i].y + 1;
            if (world_at(&world, m->x, m->y) < 0 && !world_fits(&world, m->x, m->y, &m->tile))
                return 1;
        }
    return 0;
}

/* Lays the tile where a meeple is in what it joins, and puts another one there. */
static int claimed(struct move_t *m) {
    int is_found = 0, count = world_moves(&world, m->tile, NULL);
    struct move_t *moves = room((size_t)count, sizeof(*moves));
    world_moves(&world, m->tile, moves);
    for (int i = 0; i < count && !is_found; i++) {
        int k = world_lay(&world, moves[i]);
        for (int v = 0; v < MAX_CONNECTIONS && !is_found; v++)
            if (has_meeples(world_walk(&world, k, v))) {
                *m = moves[i];
                m->meeple = (enum conn_t)v;
                is_found = 1;
            }
        world.num_laid--;
    }
    free(moves);
    return is_found;
}

static int none_left(struct move_t *m) {
    int is_found = 0, k = world_lay(&world, *m);
    for (int v = 0; v < MAX_CONNECTIONS && world.hands[world.me] == 0; v++)
        if (!has_meeples(world_walk(&world, k, v))) {
            m->meeple = (enum conn_t)v;
            is_found = 1;
        }
    world.num_laid--;
    return is_found;
}

static int no_vertex(struct move_t *m) {
    m->meeple = MAX_CONNECTIONS;
    return 1;
}

static int below_vertices(struct move_t *m) {
    m->meeple = (enum conn_t) - 1;
    return 1;
}

static struct {
    char const *name;
    int (*spoil)(struct move_t *m);
} const spoilers[] = {
    {"other-seat", in_another_name},
    {"server", in_the_servers_name},
    {"other-terrain", other_terrain},
    {"other-components", other_components},
    {"garbage", garbage},
    {"occupied", occupied},
    {"alone", alone},
    {"far", far_away},
    {"mismatched", mismatched},
    {"claimed", claimed},
    {"none-left", none_left},
    {"no-vertex", no_vertex},
    {"below-vertices", below_vertices},
};

static int is_spoilt(struct move_t *m) {
    for (size_t k = 0; k < LENGTH(spoilers); k++)
        if (fault_is_in(spoilers[k].name, "play"))
            return spoilers[k].spoil(m);
    return 0;
}

/* --- the interface ---------------------------------------------------------------------- */

char const *get_player_name() { return "misbehave"; }

void initialize(unsigned int player_id, const struct move_t first_move,
                struct gameconfig_t config) {
    world_create(&world, player_id, first_move, config);
    happen_in("init");
}

struct move_t play(const struct move_t previous_move, const struct tile_t tile) {
    world_follow(&world, previous_move, tile);
    int count = world_moves(&world, tile, NULL);
    struct move_t *mine = room((size_t)count, sizeof(*mine));
    world_moves(&world, tile, mine);
    struct move_t choice = mine[0];
    for (int k = 0; k < count && choice.meeple == NO_CONNECTION; k++)
        choice = mine[k];
    free(mine);
    if (++num_calls >= atoi(FAULT_AT)) {
        happen_in("play");
        struct move_t bad = choice;
        if (is_spoilt(&bad))
            return bad;
    }
    world_play(&world, choice);
    return choice;
}

void finalize() {
    happen_in("finalize");
    world_free(&world);
}
