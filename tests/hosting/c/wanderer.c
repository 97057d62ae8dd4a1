/* Another team's player: a random legal color by rand(), with chatter on stdout.
   It plays right on the graph and the colors that the server gave it. */
#include <stdio.h>
#include <stdlib.h>

#include "player.h"

static struct {
    size_t id;
    struct graph_t *graph;
    enum color_t *colors;
    struct color_set_t forbidden;
    int *owner; /* 0: free, 1: mine, 2: the opponent's */
    size_t *queue;
    int num_moves;
} self;

static char const *const color_names[MAX_COLOR] = {"BLUE",   "RED",    "GREEN", "YELLOW",
                                                   "ORANGE", "VIOLET", "CYAN",  "PINK"};

char const *get_player_name() { return "The Wanderer_2"; }

static void claim(size_t start, int owner) {
    gsl_spmatrix_uint *t = self.graph->t;
    size_t head = 0;
    size_t tail = 0;
    self.owner[start] = owner;
    self.queue[tail++] = start;
    while (head < tail) {
        size_t v = self.queue[head++];
        for (int k = t->p[v]; k < t->p[v + 1]; k++) {
            size_t w = (size_t)t->i[k];
            if (self.owner[w] == 0 && self.colors[w] == self.colors[start]) {
                self.owner[w] = owner;
                self.queue[tail++] = w;
            }
        }
    }
}

static void find_owners(void) {
    for (size_t v = 0; v < self.graph->num_vertices; v++)
        self.owner[v] = 0;
    claim(self.graph->positions[self.id], 1);
    claim(self.graph->positions[1 - self.id], 2);
}

static void repaint(int owner, enum color_t color) {
    find_owners();
    for (size_t v = 0; v < self.graph->num_vertices; v++)
        if (self.owner[v] == owner)
            self.colors[v] = color;
}

void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]) {
    size_t n = graph->num_vertices;
    unsigned int degree = 0;
    self.id = id;
    self.graph = graph;
    self.colors = colors;
    self.forbidden = forbidden[id];
    self.owner = malloc(n * sizeof(*self.owner));
    self.queue = malloc(n * sizeof(*self.queue));
    self.num_moves = 0;
    srand((unsigned int)id);
    for (size_t v = 0; v < n; v++)
        degree += gsl_spmatrix_uint_get(graph->t, graph->positions[id], v);
    printf("wanderer: I am %zu of %d, on %zu vertices, my start has %u neighbors\n", id,
           NUM_PLAYERS, n, degree);
}

struct move_t play(struct move_t previous_move) {
    gsl_spmatrix_uint *t = self.graph->t;
    int reachable[MAX_COLOR] = {0};
    int contact = 0;
    enum color_t choices[MAX_COLOR];
    int num_choices = 0;

    if (previous_move.c != NO_COLOR)
        repaint(2, previous_move.c);

    find_owners();
    for (size_t v = 0; v < t->size1; v++) {
        if (self.owner[v] != 1)
            continue;
        for (int k = t->p[v]; k < t->p[v + 1]; k++) {
            size_t w = (size_t)t->i[k];
            if (self.owner[w] == 0)
                reachable[self.colors[w]] = 1;
            else if (self.owner[w] == 2)
                contact = 1;
        }
    }
    if (contact)
        reachable[self.colors[self.graph->positions[1 - self.id]]] = 0;
    for (int c = 0; c < MAX_COLOR; c++)
        if (reachable[c] && self.forbidden.t[c] != 1)
            choices[num_choices++] = (enum color_t)c;

    self.num_moves++;
    if (num_choices == 0) {
        printf("wanderer: move %d, nowhere to go\n", self.num_moves);
        return (struct move_t){NO_COLOR};
    }
    struct move_t move = {choices[rand() % num_choices]};
    printf("wanderer: move %d, %s out of %d\n", self.num_moves, color_names[move.c], num_choices);
    repaint(1, move.c);
    return move;
}

void finalize() {
    printf("wanderer: bye after %d moves\n", self.num_moves);
    gsl_spmatrix_uint_free(self.graph->t);
    free(self.graph);
    free(self.colors);
    free(self.owner);
    free(self.queue);
}
