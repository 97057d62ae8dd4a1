/* A Flood board in the player's own memory, shared by the players of this team.
   It is a full copy: nothing given by the server is looked at after board_create. */
#ifndef BOARD_H
#define BOARD_H

#include <stdlib.h>
#include <string.h>

#include "player.h"

struct board_t {
    size_t n;
    size_t *row;      /* the neighbors of v are neighbor[row[v]] .. neighbor[row[v + 1] - 1] */
    size_t *neighbor;
    int *colors;
    size_t starts[NUM_PLAYERS];
    struct color_set_t forbidden[NUM_PLAYERS];
    int *trial;       /* colors of a move that is only tried */
    char *zone, *other_zone;
    size_t *waiting;
};

static inline void board_create(struct board_t *b, struct graph_t const *graph,
                                enum color_t const *colors,
                                struct color_set_t const forbidden[NUM_PLAYERS]) {
    gsl_spmatrix_uint const *t = graph->t;
    size_t n = graph->num_vertices;
    size_t entries = (size_t)t->p[n];
    b->n = n;
    b->row = malloc((n + 1) * sizeof(size_t));
    b->neighbor = malloc((entries + 1) * sizeof(size_t));
    b->colors = malloc(n * sizeof(int));
    b->trial = malloc(n * sizeof(int));
    b->zone = malloc(n);
    b->other_zone = malloc(n);
    b->waiting = malloc(n * sizeof(size_t));
    for (size_t v = 0; v <= n; v++)
        b->row[v] = (size_t)t->p[v];
    for (size_t k = 0; k < entries; k++)
        b->neighbor[k] = (size_t)t->i[k];
    for (size_t v = 0; v < n; v++)
        b->colors[v] = (int)colors[v];
    memcpy(b->starts, graph->positions, sizeof(b->starts));
    memcpy(b->forbidden, forbidden, sizeof(b->forbidden));
}

static inline void board_free(struct board_t *b) {
    free(b->row);
    free(b->neighbor);
    free(b->colors);
    free(b->trial);
    free(b->zone);
    free(b->other_zone);
    free(b->waiting);
}

/* Marks the component of one color around `start` and returns its size. */
static inline size_t board_component(struct board_t *b, int const *colors, size_t start,
                                     char *mark) {
    size_t size = 1;
    size_t waiting = 0;
    memset(mark, 0, b->n);
    mark[start] = 1;
    b->waiting[waiting++] = start;
    while (waiting > 0) {
        size_t v = b->waiting[--waiting];
        for (size_t k = b->row[v]; k < b->row[v + 1]; k++) {
            size_t w = b->neighbor[k];
            if (!mark[w] && colors[w] == colors[start]) {
                mark[w] = 1;
                size++;
                b->waiting[waiting++] = w;
            }
        }
    }
    return size;
}

static inline int board_color(struct board_t const *b, size_t player) {
    return b->colors[b->starts[player]];
}

/* Do the zones touch? Leaves the player's own zone marked in b->zone. */
static inline int board_touching(struct board_t *b, size_t player) {
    board_component(b, b->colors, b->starts[player], b->zone);
    board_component(b, b->colors, b->starts[1 - player], b->other_zone);
    for (size_t v = 0; v < b->n; v++)
        for (size_t k = b->row[v]; b->zone[v] && k < b->row[v + 1]; k++)
            if (b->other_zone[b->neighbor[k]])
                return 1;
    return 0;
}

/* How many vertices the player gains with a color; 0 if the color is illegal. */
static inline size_t board_gain(struct board_t *b, size_t player, int color) {
    size_t start = b->starts[player];
    if (color < 0 || color >= MAX_COLOR || b->forbidden[player].t[color] == 1)
        return 0;
    if (color == board_color(b, 1 - player) && board_touching(b, player))
        return 0;
    size_t before = board_component(b, b->colors, start, b->zone);
    for (size_t v = 0; v < b->n; v++)
        b->trial[v] = b->zone[v] ? color : b->colors[v];
    return board_component(b, b->trial, start, b->zone) - before;
}

static inline void board_play(struct board_t *b, size_t player, int color) {
    if (color == NO_COLOR)
        return;
    board_component(b, b->colors, b->starts[player], b->zone);
    for (size_t v = 0; v < b->n; v++)
        if (b->zone[v])
            b->colors[v] = color;
}

/* The color that gains most vertices, the lowest of equals; NO_COLOR if none is legal. */
static inline int board_greedy(struct board_t *b, size_t player) {
    int best = NO_COLOR;
    size_t best_gain = 0;
    for (int color = 0; color < MAX_COLOR; color++) {
        size_t gain = board_gain(b, player, color);
        if (gain > best_gain) {
            best_gain = gain;
            best = color;
        }
    }
    return best;
}

#endif
