/* A Hex board in the player's own memory, shared by the players of this team.
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
    int *owner;       /* BLACK, WHITE or, when free, NO_COLOR */
    int *border;      /* the owners at the start */
    size_t *waiting;
    char *found;
};

static inline void board_create(struct board_t *b, struct graph_t const *graph) {
    gsl_spmatrix const *t = graph->t;
    size_t n = graph->num_vertices;
    b->n = n;
    b->row = calloc(n + 2, sizeof(size_t));
    b->neighbor = malloc((t->nz + 1) * sizeof(size_t));
    b->owner = malloc(n * sizeof(int));
    b->border = malloc(n * sizeof(int));
    b->waiting = malloc(n * sizeof(size_t));
    b->found = malloc(n);
    for (size_t k = 0; k < t->nz; k++)
        b->row[t->i[k] + 2]++;
    for (size_t v = 2; v <= n + 1; v++)
        b->row[v] += b->row[v - 1];
    for (size_t k = 0; k < t->nz; k++) /* row[v + 1] moves from the start of v to its end */
        b->neighbor[b->row[t->i[k] + 1]++] = (size_t)t->p[k];
    for (size_t v = 0; v < n; v++) {
        b->owner[v] = NO_COLOR;
        for (int color = 0; color < NUM_PLAYERS; color++)
            if (gsl_spmatrix_get(graph->o, (size_t)color, v) == 1.0)
                b->owner[v] = color;
    }
    memcpy(b->border, b->owner, n * sizeof(int));
}

static inline void board_free(struct board_t *b) {
    free(b->row);
    free(b->neighbor);
    free(b->owner);
    free(b->border);
    free(b->waiting);
    free(b->found);
}

static inline int board_is_free(struct board_t const *b, size_t v) {
    return v < b->n && b->owner[v] == NO_COLOR;
}

static inline void board_play(struct board_t *b, struct move_t move) {
    b->owner[move.m] = move.c;
}

/* The lowest vertex from `start` on of a given owner; n if there is none. */
static inline size_t board_lowest(struct board_t const *b, int const *owner, int color,
                                  size_t start) {
    size_t v = start;
    while (v < b->n && owner[v] != color)
        v++;
    return v;
}

/* Marks in b->found the component of one owner around `start`. */
static inline void board_component(struct board_t *b, int const *owner, size_t start) {
    size_t waiting = 0;
    memset(b->found, 0, b->n);
    b->found[start] = 1;
    b->waiting[waiting++] = start;
    while (waiting > 0) {
        size_t v = b->waiting[--waiting];
        for (size_t k = b->row[v]; k < b->row[v + 1]; k++) {
            size_t w = b->neighbor[k];
            if (!b->found[w] && owner[w] == owner[start]) {
                b->found[w] = 1;
                b->waiting[waiting++] = w;
            }
        }
    }
}

/* Are all border vertices of the color in one component? */
static inline int board_is_won(struct board_t *b, int color) {
    size_t start = board_lowest(b, b->border, color, 0);
    if (start == b->n)
        return 0;
    board_component(b, b->owner, start);
    for (size_t v = 0; v < b->n; v++)
        if (b->border[v] == color && !b->found[v])
            return 0;
    return 1;
}

#endif
