/* A player with one switch per fault.

   The switches of switches.h name the fault: what is wrong and in which function, as in
   "hang-accept" (see the tables below), or one of a few other names; and the number of its own move
   at which a fault in `play` occurs. All else is legal: it proposes and plays the lowest free vertex, and accepts every opening. */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>

#include "../faults.h"
#include "../switches.h"
#include "board.h"

static struct graph_t *given_graph;
static struct board_t board;
static enum color_t me;
static size_t opening;
static int num_moves;

static int fault_is(char const *name) { return strcmp(FAULT, name) == 0; }

static int fault_is_in(char const *what, char const *place) {
    char name[64];
    snprintf(name, sizeof(name), "%s-%s", what, place);
    return fault_is(name);
}

static int fault_at(void) { return atoi(FAULT_AT); }

/* The functions that a fault of faults.h can be in. */
static char const *const places[] = {"name",  "graph", "propose", "accept",
                                     "color", "play",  "finalize"};

/* --- bad openings and moves: "border-propose", "huge-play" ... ---------------------------- */

static char const *const spoiled_places[] = {"propose", "play"};

static struct move_t on_border(struct move_t move) {
    move.m = board_lowest(&board, board.border, BLACK, 0);
    return move;
}

static struct move_t on_other_border(struct move_t move) {
    move.m = board_lowest(&board, board.border, WHITE, 0);
    return move;
}

/* On the opening stone; there is none yet in an opening. */
static struct move_t on_stone(struct move_t move) {
    if (num_moves == 0)
        return on_border(move);
    move.m = opening;
    return move;
}

static struct move_t one_too_far(struct move_t move) {
    move.m = board.n;
    return move;
}

static struct move_t huge(struct move_t move) {
    move.m = SIZE_MAX;
    return move;
}

static struct move_t wrong_color(struct move_t move) {
    move.c = move.c == BLACK ? WHITE : BLACK;
    return move;
}

static struct move_t no_color(struct move_t move) {
    move.c = NO_COLOR;
    return move;
}

static struct move_t garbage_color(struct move_t move) {
    move.c = (enum color_t)-7;
    return move;
}

static struct {
    char const *name;
    struct move_t (*spoil)(struct move_t move);
} const spoilers[] = {
    {"illegal", on_stone},
    {"border", on_border},
    {"other-border", on_other_border},
    {"out-of-range", one_too_far},
    {"huge", huge},
    {"wrong-color", wrong_color},     /* harmless in the opening */
    {"no-color", no_color},           /* harmless in the opening */
    {"garbage-color", garbage_color}, /* harmless in the opening */
};

static struct move_t spoil_in(char const *place, struct move_t move) {
    for (size_t k = 0; k < LENGTH(spoilers); k++)
        if (fault_is_in(spoilers[k].name, place))
            return spoilers[k].spoil(move);
    return move;
}

/* --- other faults ----------------------------------------------------------------------- */

static char const *const other_faults[] = {
    "none",
    "refuse",     /* no fault: refuses every opening */
    "odd-accept", /* harmless: accepts by a strange number */
    "null-name",
    "empty-name",
    "control-name",
    "long-name",
};

static int fault_is_known(void) {
    int is_known = 0;
    for (size_t k = 0; k < LENGTH(other_faults); k++)
        is_known |= fault_is(other_faults[k]);
    for (size_t p = 0; p < LENGTH(places); p++)
        for (size_t k = 0; k < LENGTH(events); k++)
            is_known |= fault_is_in(events[k].name, places[p]);
    for (size_t p = 0; p < LENGTH(spoiled_places); p++)
        for (size_t k = 0; k < LENGTH(spoilers); k++)
            is_known |= fault_is_in(spoilers[k].name, spoiled_places[p]);
    return is_known;
}

/* --- the interface ---------------------------------------------------------------------- */

char const *get_player_name() {
    static char long_name[10 * 1024 + 1];
    happen_in("name");
    if (fault_is("null-name"))
        return NULL;
    if (fault_is("empty-name"))
        return "";
    if (fault_is("control-name"))
        return "mis\033[31m\a\r\nbehave\377";
    if (fault_is("long-name")) {
        memset(long_name, 'x', sizeof(long_name) - 1);
        return long_name;
    }
    return "misbehave";
}

void initialize_graph(struct graph_t *graph) {
    if (!fault_is_known()) {
        fprintf(stderr, "misbehave: unknown fault %s\n", FAULT);
        abort();
    }
    happen_in("graph");
    given_graph = graph;
    board_create(&board, graph);
}

struct move_t propose_opening() {
    happen_in("propose");
    opening = board_lowest(&board, board.owner, NO_COLOR, 0);
    return spoil_in("propose", (struct move_t){opening, BLACK});
}

int accept_opening(const struct move_t proposed) {
    happen_in("accept");
    opening = proposed.m;
    if (fault_is("odd-accept"))
        return -2147483647;
    return !fault_is("refuse");
}

void initialize_color(enum color_t id) {
    happen_in("color");
    me = id;
    board_play(&board, (struct move_t){opening, BLACK});
}

struct move_t play(struct move_t previous_move) {
    board_play(&board, previous_move);
    struct move_t move = {board_lowest(&board, board.owner, NO_COLOR, 0), me};
    board_play(&board, move);
    num_moves++;
    if (num_moves != fault_at())
        return move;
    happen_in("play");
    return spoil_in("play", move);
}

void finalize() {
    happen_in("finalize");
    board_free(&board);
    gsl_spmatrix_free(given_graph->t);
    gsl_spmatrix_free(given_graph->o);
    free(given_graph);
}
