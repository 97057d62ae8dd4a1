/* Another team's player: a random free vertex, and a coin for the opening, by rand().
   It keeps its board in the ownership matrix that the server gave it, and chatters on stdout. */
#include <stdio.h>
#include <stdlib.h>

#include "player.h"

static struct {
    struct graph_t *graph;
    enum color_t color;
    size_t opening;
    size_t *choices;
    int num_moves;
} self;

char const *get_player_name() { return "random legal"; }

static int is_free(size_t v) {
    gsl_spmatrix *o = self.graph->o;
    return gsl_spmatrix_get(o, BLACK, v) == 0.0 && gsl_spmatrix_get(o, WHITE, v) == 0.0;
}

static size_t random_free_vertex(void) {
    size_t num_choices = 0;
    for (size_t v = 0; v < self.graph->num_vertices; v++)
        if (is_free(v))
            self.choices[num_choices++] = v;
    return self.choices[(size_t)rand() % num_choices];
}

void initialize_graph(struct graph_t *graph) {
    self.graph = graph;
    self.choices = malloc(graph->num_vertices * sizeof(*self.choices));
    self.num_moves = 0;
    srand((unsigned int)graph->num_vertices);
    printf("random legal: %zu vertices, %zu edges\n", graph->num_vertices, graph->t->nz / 2);
}

struct move_t propose_opening() {
    self.opening = random_free_vertex();
    return (struct move_t){self.opening, BLACK};
}

int accept_opening(const struct move_t opening) {
    int accepts = rand() / 7 % 2;
    self.opening = opening.m;
    printf("random legal: %s the opening at %zu\n", accepts ? "accepts" : "refuses", opening.m);
    return accepts;
}

void initialize_color(enum color_t id) {
    self.color = id;
    gsl_spmatrix_set(self.graph->o, BLACK, self.opening, 1.0);
}

struct move_t play(struct move_t previous_move) {
    gsl_spmatrix_set(self.graph->o, previous_move.c, previous_move.m, 1.0);
    struct move_t move = {random_free_vertex(), self.color};
    gsl_spmatrix_set(self.graph->o, move.c, move.m, 1.0);
    self.num_moves++;
    printf("random legal: move %d at %zu\n", self.num_moves, move.m);
    return move;
}

void finalize() {
    printf("random legal: bye after %d moves\n", self.num_moves);
    gsl_spmatrix_free(self.graph->t);
    gsl_spmatrix_free(self.graph->o);
    free(self.graph);
    free(self.choices);
}
