#include "player.h"
#include <stdlib.h>

int main()
{
  enum { N = 6 };
  struct color_set_t forbidden[NUM_PLAYERS] = { { { 0 } } };
  gsl_spmatrix_uint *triplets = gsl_spmatrix_uint_alloc(N, N);
  for (size_t v = 0; v + 1 < N; v++) {
    gsl_spmatrix_uint_set(triplets, v, v + 1, 1);
    gsl_spmatrix_uint_set(triplets, v + 1, v, 1);
  }
  struct graph_t *graph = malloc(sizeof *graph);
  graph->num_vertices = N;
  graph->t = gsl_spmatrix_uint_compress(triplets, GSL_SPMATRIX_CSR);
  graph->positions[0] = 0;
  graph->positions[1] = N - 1;
  gsl_spmatrix_uint_free(triplets);
  enum color_t *colors = malloc(N * sizeof *colors);
  for (int v = 0; v < N; v++)
    colors[v] = v % 5;
  initialize(0, graph, colors, forbidden);
  struct move_t none = { NO_COLOR };
  int wrong = play(none).c != RED;
  finalize();
  return wrong;
}
