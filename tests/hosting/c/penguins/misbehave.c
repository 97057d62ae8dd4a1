/* A player with one switch per fault.

   The switches of switches.h name the fault: what is wrong and in which function, as in "hang-place"
   (see the tables below); the number of the call of `place` or `play` at which it occurs; and perhaps
   the only player that has the fault. All else is legal: it chooses what comes first. */
#define _DEFAULT_SOURCE
#include <limits.h>

#include "../faults.h"
#include "../switches.h"
#include "board.h"

static struct board_t board;
static int num_calls[2]; /* of place and play */

static int fault_is_in(char const *what, char const *place) {
    char name[64];
    snprintf(name, sizeof(name), "%s-%s", what, place);
    return strcmp(FAULT, name) == 0 && (FAULT_SEAT[0] == '\0' || atoi(FAULT_SEAT) == board.me);
}

/* --- bad placements and moves: "occupied-place", "crooked-play" ... ----------------------- */

static struct move in_another_name(struct move m) {
    m.player = (m.player + 1) % board.num_players;
    return m;
}

static struct move too_many_players(struct move m) {
    m.player = board.num_players;
    return m;
}

static struct move to_occupied(struct move m) {
    for (int v = 0; v < board.num_tiles; v++)
        if (v != m.src && board.owner[v] >= 0)
            m.dst = v;
    return m;
}

static struct move on_two_fish(struct move m) {
    for (m.dst = 0; board.fish[m.dst] == 1;)
        m.dst++;
    return m;
}

static struct move with_source(struct move m) {
    m.src = m.dst == 0;
    return m;
}

static struct move one_too_far(struct move m) {
    m.dst = board.num_tiles;
    return m;
}

static struct move far_below(struct move m) {
    m.dst = INT_MIN;
    return m;
}

static struct move from_nowhere(struct move m) {
    m.src = INT_MAX;
    return m;
}

static struct move pass(struct move m) {
    m.src = m.dst = NO_TILE;
    return m;
}

static struct move place_again(struct move m) {
    m.src = NO_TILE;
    return m;
}

static struct move stay(struct move m) {
    m.dst = m.src;
    return m;
}

static struct move from_anothers(struct move m) {
    for (int v = 0; v < board.num_tiles; v++)
        if (board.owner[v] >= 0 && board.owner[v] != board.me)
            m.src = v;
    return m;
}

static struct move from_free(struct move m) {
    for (m.src = 0; board.owner[m.src] != IS_FREE;)
        m.src++;
    return m;
}

/* To a tile that no line leads to. */
static struct move crooked(struct move m) {
    int *line = room((size_t)board.num_tiles), *is_straight = room((size_t)board.num_tiles);
    memset(is_straight, 0, (size_t)board.num_tiles * sizeof(int));
    for (int k = 0; k < board.row[m.src + 1] - board.row[m.src]; k++)
        for (int i = board_reach(&board, m.src, k, line) - 1; i >= 0; i--)
            is_straight[line[i]] = 1;
    for (int v = 0; v < board.num_tiles; v++)
        if (!is_straight[v] && board.owner[v] == IS_FREE)
            m.dst = v;
    free(line);
    free(is_straight);
    return m;
}

static struct {
    char const *name;
    struct move (*spoil)(struct move m);
} const spoilers[] = {
    {"other-seat", in_another_name}, {"no-seat", too_many_players},   {"occupied", to_occupied},
    {"two-fish", on_two_fish},       {"with-source", with_source},    {"out-of-range", one_too_far},
    {"negative", far_below},         {"from-nowhere", from_nowhere},  {"pass", pass},
    {"placement", place_again},      {"stay", stay},                  {"others", from_anothers},
    {"from-free", from_free},        {"crooked", crooked},
};

/* Returns an answer, or what the fault makes of it at this call. */
static struct move answered(struct move m, char const *place, int call) {
    if (call != atoi(FAULT_AT))
        return board_answer(&board, m);
    happen_in(place);
    for (size_t k = 0; k < LENGTH(spoilers); k++)
        if (fault_is_in(spoilers[k].name, place))
            m = spoilers[k].spoil(m);
    return board_answer(&board, m);
}

/* --- the interface ---------------------------------------------------------------------- */

void init(unsigned player, size_t nb_tiles, struct edge const *edges, size_t size_edges,
          int const *fishes, size_t nb_players, size_t nb_penguins_by_player) {
    board_create(&board, player, nb_tiles, edges, size_edges, fishes, nb_players,
                 nb_penguins_by_player);
    happen_in("init");
}

struct move place(struct move const *placements, size_t size_placements) {
    int tile = 0;
    board_follow(&board, placements, size_placements, 1);
    while (board.fish[tile] != 1 || board.owner[tile] != IS_FREE)
        tile++;
    return answered((struct move){board.me, NO_TILE, tile}, "place", ++num_calls[0]);
}

struct move play(struct move const *moves, size_t size_moves) {
    board_follow(&board, moves, size_moves, 0);
    struct move *mine = malloc((size_t)board_moves(&board, board.me, NULL) * sizeof(*mine));
    board_moves(&board, board.me, mine);
    struct move choice = mine[0];
    free(mine);
    return answered(choice, "play", ++num_calls[1]);
}

void done(void) {
    happen_in("done");
    board_free(&board);
}
