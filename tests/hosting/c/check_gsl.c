/* Checks that the server keeps its promises, and aborts with a sentence on stderr if not.
   Plays the lowest legal color. */
#include <stdio.h>

#include "board.h"

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "check_gsl: line %d: not true: %s\n", __LINE__, #condition); \
            abort();                                                                     \
        }                                                                                \
    } while (0)

static size_t me;
static struct graph_t *given_graph;
static enum color_t *given_colors;
static struct board_t board;
static int initialized;
static int num_moves;
static enum color_t my_last_move;

char const *get_player_name() { return "check-gsl"; }

static void check_graph(struct graph_t const *graph) {
    CHECK(graph != NULL);
    gsl_spmatrix_uint const *t = graph->t;
    size_t n = graph->num_vertices;
    CHECK(n >= NUM_PLAYERS);
    CHECK(t != NULL);
    CHECK(strcmp(gsl_spmatrix_uint_type(t), "CSR") == 0);
    CHECK(t->size1 == n);
    CHECK(t->size2 == n);
    CHECK(t->p[0] == 0);
    CHECK((size_t)t->p[n] == t->nz);
    CHECK(gsl_spmatrix_uint_nnz(t) == t->nz);
    CHECK(t->nz <= t->nzmax);
    size_t *last_row = malloc(n * sizeof(size_t));
    for (size_t w = 0; w < n; w++)
        last_row[w] = n;
    for (size_t v = 0; v < n; v++) {
        CHECK(t->p[v] <= t->p[v + 1]);
        for (int k = t->p[v]; k < t->p[v + 1]; k++) {
            CHECK(t->i[k] >= 0);
            size_t w = (size_t)t->i[k];
            CHECK(w < n);
            CHECK(w != v);           /* no loop */
            CHECK(last_row[w] != v); /* no edge twice */
            CHECK(t->data[k] == 1);
            CHECK(gsl_spmatrix_uint_get(t, v, w) == 1);
            CHECK(gsl_spmatrix_uint_get(t, w, v) == 1);
            last_row[w] = v;
        }
    }
    free(last_row);
    for (int p = 0; p < NUM_PLAYERS; p++)
        CHECK(graph->positions[p] < n);
    CHECK(graph->positions[0] != graph->positions[1]);
}

static void check_connected(void) {
    for (size_t v = 0; v < board.n; v++)
        board.trial[v] = 0;
    CHECK(board_component(&board, board.trial, 0, board.zone) == board.n);
}

static void check_colors(struct graph_t const *graph, enum color_t const *colors) {
    CHECK(colors != NULL);
    for (size_t v = 0; v < graph->num_vertices; v++)
        CHECK((int)colors[v] >= 0 && (int)colors[v] < MAX_COLOR);
    CHECK(colors[graph->positions[0]] != colors[graph->positions[1]]);
}

static void check_forbidden(struct color_set_t const forbidden[NUM_PLAYERS]) {
    int count[NUM_PLAYERS] = {0};
    CHECK(forbidden != NULL);
    for (int p = 0; p < NUM_PLAYERS; p++)
        for (int c = 0; c < MAX_COLOR; c++) {
            CHECK(forbidden[p].t[c] == 0 || forbidden[p].t[c] == 1);
            count[p] += forbidden[p].t[c];
        }
    CHECK(count[0] == count[1]);
}

void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
    CHECK(!initialized);
    initialized = 1;
    CHECK(id == 0 || id == 1);
    check_graph(graph);
    check_colors(graph, colors);
    check_forbidden(forbidden);
    me = id;
    given_graph = graph;
    given_colors = colors;
    board_create(&board, graph, colors, forbidden);
    check_connected();
}

static void check_previous(enum color_t previous) {
    int is_first_of_game = me == 0 && num_moves == 0;
    int both_passed = num_moves > 0 && previous == NO_COLOR && my_last_move == NO_COLOR;
    if (is_first_of_game)
        CHECK(previous == NO_COLOR);
    CHECK(!both_passed);
    if (previous != NO_COLOR)
        CHECK(board_gain(&board, 1 - me, previous) > 0);
}

struct move_t play(struct move_t previous_move) {
    CHECK(initialized);
    check_previous(previous_move.c);
    board_play(&board, 1 - me, previous_move.c);
    struct move_t move = {NO_COLOR};
    for (int color = MAX_COLOR - 1; color >= 0; color--)
        if (board_gain(&board, me, color) > 0)
            move.c = (enum color_t)color;
    board_play(&board, me, move.c);
    my_last_move = move.c;
    num_moves++;
    return move;
}

void finalize() {
    CHECK(initialized);
    board_free(&board);
    gsl_spmatrix_uint_free(given_graph->t);
    free(given_graph);
    free(given_colors);
}
