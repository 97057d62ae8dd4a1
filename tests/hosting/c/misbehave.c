/* A player with one switch per fault.

   The switches of switches.h name the fault (see the table below; "none": always passes) and the
   number of its own move at which it occurs.
   All other moves are greedy's. */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "board.h"
#include "switches.h"

#define NOISE_LINES 50000 /* of 100 bytes: 5 MB */
#define BLOCK (1 << 24)

static size_t me;
static struct graph_t *given_graph;
static enum color_t *given_colors;
static struct board_t board;
static int num_moves;

static int fault_is(char const *name) { return strcmp(FAULT, name) == 0; }

static int fault_at(void) { return atoi(FAULT_AT); }

static int pass(void) { return NO_COLOR; }
static int greedy(void) { return board_greedy(&board, me); }

/* --- faults during a move: each returns the color to play, or does not return ----------- */

static int crash_segv(void) {
    int *volatile nowhere = NULL;
    *nowhere = 1;
    return NO_COLOR;
}

static int crash_abort(void) { abort(); }

static int leave(void) { exit(3); }

static int hang(void) {
    for (;;)
        ;
    return NO_COLOR;
}

static int block(void) {
    for (;;)
        pause();
    return NO_COLOR;
}

static int illegal(void) { return board_color(&board, me); } /* gains nothing */
static int out_of_range(void) { return 99; }
static int negative(void) { return -7; }

static int make_noise(FILE *stream) {
    for (int k = 0; k < NOISE_LINES; k++)
        fprintf(stream, "%099d\n", k);
    fflush(stream);
    return greedy();
}

static int noise(void) { return make_noise(stdout); }
static int noise_stderr(void) { return make_noise(stderr); }

static int fork_hang(void) {
    if (fork() == 0) {
        setsid();
        block();
    }
    return hang();
}

/* The matrix can still be freed: only its contents are spoiled. */
static int write_board(void) {
    gsl_spmatrix_uint *t = given_graph->t;
    size_t n = given_graph->num_vertices;
    memset(t->i, 0x55, (size_t)t->p[n] * sizeof(*t->i));
    memset(t->data, 0x55, (size_t)t->p[n] * sizeof(*t->data));
    memset(t->p, 0x55, (n + 1) * sizeof(*t->p));
    t->size1 = t->size2 = t->nz = 7;
    memset(given_colors, 0x55, n * sizeof(*given_colors));
    given_graph->num_vertices = 7;
    given_graph->positions[0] = given_graph->positions[1] = 7;
    return greedy();
}

static int close_fds(void) {
    for (int fd = 3; fd <= 255; fd++)
        close(fd);
    return greedy();
}

static int ignore_sigterm(void) {
    signal(SIGTERM, SIG_IGN);
    return hang();
}

static int eat_memory(void) {
    for (;;) {
        char *volatile piece = malloc(BLOCK);
        if (piece != NULL)
            memset(piece, 1, BLOCK);
    }
    return NO_COLOR;
}

static struct {
    char const *name;
    int (*play)(void);
} const faults[] = {
    {"none", pass},
    {"crash-segv", crash_segv},
    {"crash-abort", crash_abort},
    {"exit", leave},
    {"hang", hang},
    {"sleep", block},
    {"illegal", illegal},
    {"out-of-range", out_of_range},
    {"negative", negative},
    {"noise", noise},
    {"noise-stderr", noise_stderr},
    {"fork-hang", fork_hang},
    {"write-board", write_board},
    {"closes-fds", close_fds},
    {"sigterm-ignore", ignore_sigterm},
    {"memory", eat_memory},
    /* not during a move */
    {"exit-init", greedy},
    {"hang-init", greedy},
    {"long-name", greedy},
    {"html-name", greedy},
    {"null-name", greedy},
    {"empty-name", greedy},
    {"control-name", greedy},
};

static int play_fault(void) {
    for (size_t k = 0; k < sizeof(faults) / sizeof(faults[0]); k++)
        if (fault_is(faults[k].name))
            return faults[k].play();
    fprintf(stderr, "misbehave: unknown fault %s\n", FAULT);
    abort();
}

/* --- the interface ---------------------------------------------------------------------- */

char const *get_player_name() {
    static char long_name[10 * 1024 + 1];
    if (fault_is("long-name")) {
        memset(long_name, 'x', sizeof(long_name) - 1);
        return long_name;
    }
    if (fault_is("html-name"))
        return "<script>alert(\"flood\")</script><b>&amp;'";
    if (fault_is("null-name"))
        return NULL;
    if (fault_is("empty-name"))
        return "";
    if (fault_is("control-name"))
        return "mis\033[31m\a\r\nbehave\377";
    return "misbehave";
}

void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
    if (fault_is("exit-init"))
        exit(3);
    if (fault_is("hang-init"))
        hang();
    me = id;
    given_graph = graph;
    given_colors = colors;
    board_create(&board, graph, colors, forbidden);
}

struct move_t play(struct move_t previous_move) {
    int is_none = fault_is("none");
    board_play(&board, 1 - me, previous_move.c);
    num_moves++;
    if (num_moves == fault_at() && !is_none)
        fprintf(stderr, "misbehave: %s\n", FAULT);
    int color = num_moves == fault_at() || is_none ? play_fault() : greedy();
    if (color >= 0 && color < MAX_COLOR)
        board_play(&board, me, color);
    return (struct move_t){(enum color_t)color};
}

void finalize() {
    board_free(&board);
    gsl_spmatrix_uint_free(given_graph->t);
    free(given_graph);
    free(given_colors);
}
