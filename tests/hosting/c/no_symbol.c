/* Lacks `play`: must be refused when it is loaded. */
#include <stdlib.h>

#include "player.h"

static struct graph_t *given_graph;
static enum color_t *given_colors;

char const *get_player_name() { return "no symbol"; }

void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
    (void)id;
    (void)forbidden;
    given_graph = graph;
    given_colors = colors;
}

void finalize() {
    gsl_spmatrix_uint_free(given_graph->t);
    free(given_graph);
    free(given_colors);
}
