/* Plays the color that gains most vertices, the lowest of equals. */
#include "board.h"

static size_t me;
static struct graph_t *given_graph;
static enum color_t *given_colors;
static struct board_t board;

char const *get_player_name() { return "greedy"; }

void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
    me = id;
    given_graph = graph;
    given_colors = colors;
    board_create(&board, graph, colors, forbidden);
}

struct move_t play(struct move_t previous_move) {
    board_play(&board, 1 - me, previous_move.c);
    struct move_t move = {(enum color_t)board_greedy(&board, me)};
    board_play(&board, me, move.c);
    return move;
}

void finalize() {
    board_free(&board);
    gsl_spmatrix_uint_free(given_graph->t);
    free(given_graph);
    free(given_colors);
}
