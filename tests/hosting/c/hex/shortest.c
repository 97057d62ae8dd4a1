/* Plays on a shortest path between its own borders: an own vertex costs 0, a free one 1.
   Refuses an opening near the center, and proposes one next to a border. */
#include "board.h"

#define UNREACHED ((size_t)-1)

static struct graph_t *given_graph;
static struct board_t board;
static enum color_t me;
static struct move_t opening;
static size_t *distance; /* from the start of the search */
static size_t *previous; /* on the way from the start */
static size_t *deque;    /* of 2 n entries, filled from the middle */

char const *get_player_name() { return "shortest"; }

void initialize_graph(struct graph_t *graph) {
    given_graph = graph;
    board_create(&board, graph);
    distance = malloc(board.n * sizeof(size_t));
    previous = malloc(board.n * sizeof(size_t));
    deque = malloc(2 * board.n * sizeof(size_t));
}

/* --- the opening ------------------------------------------------------------------------ */

/* How far each vertex is from the nearest border; returns the greatest distance. */
static size_t measure_from_borders(void) {
    size_t head = 0;
    size_t tail = 0;
    for (size_t v = 0; v < board.n; v++) {
        distance[v] = board.border[v] == NO_COLOR ? UNREACHED : 0;
        if (distance[v] == 0)
            deque[tail++] = v;
    }
    size_t farthest = 0;
    while (head < tail) {
        size_t v = deque[head++];
        farthest = distance[v];
        for (size_t k = board.row[v]; k < board.row[v + 1]; k++) {
            size_t w = board.neighbor[k];
            if (distance[w] == UNREACHED) {
                distance[w] = distance[v] + 1;
                deque[tail++] = w;
            }
        }
    }
    return farthest;
}

struct move_t propose_opening() {
    opening = (struct move_t){board_lowest(&board, board.owner, NO_COLOR, 0), BLACK};
    return opening;
}

int accept_opening(const struct move_t proposed) {
    size_t farthest = measure_from_borders();
    opening = proposed;
    return 2 * distance[opening.m] <= farthest;
}

void initialize_color(enum color_t id) {
    me = id;
    opening.c = BLACK;
    board_play(&board, opening);
}

/* --- a move ----------------------------------------------------------------------------- */

/* The vertex of the other border where a shortest path from the first one ends; n if none does.
   An own vertex enters the deque at the front, a free one at the back, each of them once. */
static size_t shortest_path(void) {
    size_t head = board.n;
    size_t tail = board.n;
    size_t start = board_lowest(&board, board.border, me, 0);
    for (size_t v = 0; v < board.n; v++)
        distance[v] = UNREACHED;
    board_component(&board, board.border, start);
    distance[start] = 0;
    previous[start] = board.n;
    deque[tail++] = start;
    while (head < tail) {
        size_t v = deque[head++];
        if (board.border[v] == (int)me && !board.found[v])
            return v;
        for (size_t k = board.row[v]; k < board.row[v + 1]; k++) {
            size_t w = board.neighbor[k];
            if (distance[w] != UNREACHED || board.owner[w] == 1 - (int)me)
                continue;
            previous[w] = v;
            if (board.owner[w] == (int)me) {
                distance[w] = distance[v];
                deque[--head] = w;
            } else {
                distance[w] = distance[v] + 1;
                deque[tail++] = w;
            }
        }
    }
    return board.n;
}

/* The free vertex in the middle of a shortest path; the lowest one if there is none. */
static size_t best_vertex(void) {
    size_t end = shortest_path();
    if (end == board.n || distance[end] == 0)
        return board_lowest(&board, board.owner, NO_COLOR, 0);
    size_t half = (distance[end] + 1) / 2;
    size_t best = end;
    for (size_t v = end; v != board.n; v = previous[v])
        if (board.owner[v] == NO_COLOR && distance[v] >= half)
            best = v;
    return best;
}

struct move_t play(struct move_t previous_move) {
    board_play(&board, previous_move);
    struct move_t move = {best_vertex(), me};
    board_play(&board, move);
    return move;
}

void finalize() {
    board_free(&board);
    free(distance);
    free(previous);
    free(deque);
    gsl_spmatrix_free(given_graph->t);
    gsl_spmatrix_free(given_graph->o);
    free(given_graph);
}
