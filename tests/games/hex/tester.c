#include <stdio.h>
#include <stdlib.h>
#include "player.h"

#ifndef OPENING
#define OPENING first_free()
#endif
#ifndef ACCEPTS
#define ACCEPTS 1
#endif

static struct graph_t *graph;
static enum color_t color = NO_COLOR;
static size_t opening = (size_t) -1;

static size_t first_free(void) {
  for (size_t v = 0; v < graph->num_vertices; v++)
    if (gsl_spmatrix_get(graph->o, 0, v) == 0 && gsl_spmatrix_get(graph->o, 1, v) == 0)
      return v;
  abort();
}

static void expect(int right, char const *what) {
  if (!right) { fprintf(stderr, "wrong: %s\n", what); abort(); }
}

char const *get_player_name() { return "tester"; }

void initialize_graph(struct graph_t *given) {
  graph = given;
  size_t n = graph->num_vertices, links = 0;
  expect(graph->t->size1 == n && graph->t->size2 == n, "size of t");
  expect(graph->o->size1 == 2 && graph->o->size2 == n, "size of o");
  expect(GSL_SPMATRIX_ISCOO(graph->t) && GSL_SPMATRIX_ISCOO(graph->o), "format");
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v < n; v++) {
      expect(gsl_spmatrix_get(graph->t, u, v) == gsl_spmatrix_get(graph->t, v, u), "symmetry");
      links += gsl_spmatrix_get(graph->t, u, v) == 1.0;
    }
  expect(links == gsl_spmatrix_nnz(graph->t), "entries of t");
  expect(gsl_spmatrix_nnz(graph->o) == BORDERS && links == LINKS, "numbers of the board");
}

struct move_t propose_opening() {
  opening = OPENING;
  struct move_t move = { opening, NO_COLOR }; /* as careless as real ones */
  return move;
}

int accept_opening(const struct move_t move) {
  expect(move.c == BLACK, "color of the opening");
  opening = move.m;
  return ACCEPTS;
}

void initialize_color(enum color_t id) {
  expect(color == NO_COLOR, "colors are settled once");
  expect(opening != (size_t) -1, "the opening comes before the colors");
  color = id;
  if (color == BLACK)
    gsl_spmatrix_set(graph->o, 0, opening, 1);
}

struct move_t play(struct move_t previous) {
  expect(previous.c == (enum color_t) (1 - color), "color of the previous move");
  expect(gsl_spmatrix_get(graph->o, 0, previous.m) == 0
         && gsl_spmatrix_get(graph->o, 1, previous.m) == 0, "the previous move is news");
  gsl_spmatrix_set(graph->o, previous.c, previous.m, 1);
  struct move_t move = { first_free(), color };
#ifdef WRONG
  move.m = WRONG;
#endif
  gsl_spmatrix_set(graph->o, color, move.m % graph->num_vertices, 1);
  return move;
}

void finalize() {
  gsl_spmatrix_free(graph->t);
  gsl_spmatrix_free(graph->o);
  free(graph);
}
