/* Checks that the server keeps its promises, and aborts with a sentence on stderr if not.
   Proposes and plays the lowest free vertex, and accepts an opening on an even vertex. */
#include <stdio.h>

#include "board.h"

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "check_gsl: line %d: not true: %s\n", __LINE__, #condition); \
            abort();                                                                     \
        }                                                                                \
    } while (0)

static enum { NOTHING, GRAPH, PROPOSED, ACCEPTED, REFUSED, COLOR, FINALIZED } last_call = NOTHING;
static struct graph_t *given_graph;
static struct board_t board;
static enum color_t me;
static size_t opening;
static int num_moves;

char const *get_player_name() {
    CHECK(last_call != FINALIZED);
    return "check-gsl";
}

/* --- the matrices ----------------------------------------------------------------------- */

/* Triplets that hold only ones, none of them twice. */
static void check_matrix(gsl_spmatrix const *matrix, size_t size1, size_t size2) {
    CHECK(matrix != NULL);
    CHECK(strcmp(gsl_spmatrix_type(matrix), "COO") == 0);
    CHECK(GSL_SPMATRIX_ISCOO(matrix));
    CHECK(matrix->size1 == size1);
    CHECK(matrix->size2 == size2);
    CHECK(matrix->nz <= matrix->nzmax);
    CHECK(gsl_spmatrix_nnz(matrix) == matrix->nz);
    char *seen = calloc(size1, size2);
    for (size_t k = 0; k < matrix->nz; k++) {
        CHECK(matrix->i[k] >= 0);
        CHECK(matrix->p[k] >= 0);
        size_t row = (size_t)matrix->i[k];
        size_t column = (size_t)matrix->p[k];
        CHECK(row < size1);
        CHECK(column < size2);
        CHECK(!seen[row * size2 + column]);
        CHECK(matrix->data[k] == 1.0);
        CHECK(gsl_spmatrix_get(matrix, row, column) == 1.0); /* the tree knows it too */
        seen[row * size2 + column] = 1;
    }
    free(seen);
}

static void check_symmetric(gsl_spmatrix const *t) {
    for (size_t k = 0; k < t->nz; k++) {
        CHECK(t->i[k] != t->p[k]);
        CHECK(gsl_spmatrix_get(t, (size_t)t->p[k], (size_t)t->i[k]) == 1.0);
    }
}

static void check_ownership(gsl_spmatrix const *o, size_t n) {
    size_t owned[NUM_PLAYERS] = {0};
    for (size_t v = 0; v < n; v++) {
        int black = gsl_spmatrix_get(o, BLACK, v) == 1.0;
        int white = gsl_spmatrix_get(o, WHITE, v) == 1.0;
        CHECK(!(black && white));
        owned[BLACK] += (size_t)black;
        owned[WHITE] += (size_t)white;
    }
    CHECK(owned[BLACK] >= 2);
    CHECK(owned[WHITE] >= 2);
    CHECK(owned[BLACK] + owned[WHITE] < n);
}

/* What students do with the matrices works: compress a copy, play in the original. */
static void check_usable(struct graph_t *graph) {
    gsl_spmatrix *rows = gsl_spmatrix_crs(graph->t);
    CHECK((size_t)rows->p[graph->num_vertices] == graph->t->nz);
    gsl_spmatrix_free(rows);
    for (size_t v = 0; v < graph->num_vertices; v++)
        for (size_t color = BLACK; color <= WHITE; color++)
            gsl_spmatrix_set(graph->o, color, v, 1.0);
    CHECK(gsl_spmatrix_nnz(graph->o) == 2 * graph->num_vertices);
}

void initialize_graph(struct graph_t *graph) {
    CHECK(last_call == NOTHING);
    last_call = GRAPH;
    CHECK(graph != NULL);
    CHECK(graph->num_vertices > 0);
    check_matrix(graph->t, graph->num_vertices, graph->num_vertices);
    check_matrix(graph->o, NUM_PLAYERS, graph->num_vertices);
    check_symmetric(graph->t);
    check_ownership(graph->o, graph->num_vertices);
    given_graph = graph;
    board_create(&board, graph);
    CHECK(!board_is_won(&board, BLACK));
    CHECK(!board_is_won(&board, WHITE));
    check_usable(graph);
}

/* --- the opening ------------------------------------------------------------------------ */

struct move_t propose_opening() {
    CHECK(last_call == GRAPH);
    last_call = PROPOSED;
    opening = board_lowest(&board, board.owner, NO_COLOR, 0);
    return (struct move_t){opening, NO_COLOR}; /* the server must not rely on the color */
}

int accept_opening(const struct move_t proposed) {
    CHECK(last_call == GRAPH);
    CHECK(board_is_free(&board, proposed.m));
    CHECK(proposed.c == BLACK);
    opening = proposed.m;
    last_call = opening % 2 == 0 ? ACCEPTED : REFUSED;
    return last_call == ACCEPTED ? -1 : 0; /* anything but zero accepts */
}

void initialize_color(enum color_t id) {
    CHECK(last_call == PROPOSED || last_call == ACCEPTED || last_call == REFUSED);
    CHECK(id == BLACK || id == WHITE);
    CHECK(last_call != ACCEPTED || id == WHITE);
    CHECK(last_call != REFUSED || id == BLACK);
    last_call = COLOR;
    me = id;
    board_play(&board, (struct move_t){opening, BLACK});
}

/* --- the moves -------------------------------------------------------------------------- */

static void check_previous(struct move_t previous) {
    if (me == WHITE && num_moves == 0) {
        CHECK(previous.m == opening);
        CHECK(previous.c == BLACK);
        return;
    }
    CHECK(previous.m != opening);
    CHECK(board_is_free(&board, previous.m));
    CHECK((int)previous.c == 1 - (int)me);
}

struct move_t play(struct move_t previous_move) {
    CHECK(last_call == COLOR);
    check_previous(previous_move);
    board_play(&board, previous_move);
    CHECK(!board_is_won(&board, 1 - (int)me)); /* the game would be over */
    struct move_t move = {board_lowest(&board, board.owner, NO_COLOR, 0), me};
    CHECK(board_is_free(&board, move.m));
    board_play(&board, move);
    num_moves++;
    return move;
}

void finalize() {
    CHECK(last_call != NOTHING);
    CHECK(last_call != FINALIZED);
    last_call = FINALIZED;
    board_free(&board);
    gsl_spmatrix_free(given_graph->t);
    gsl_spmatrix_free(given_graph->o);
    free(given_graph);
}
