#include "player.h"
#include <stdlib.h>

static struct move_t opponents(int *owner, enum color_t color)
{
  struct move_t move = { 0, color };
  while (owner[move.m])
    move.m++;
  owner[move.m]++;
  return move;
}

static void play_game(int proposes, int is_accepted)
{
  enum { W = 5, N = W * W };
  struct graph_t *graph = malloc(sizeof *graph);
  int owner[N] = { 0 };
  graph->num_vertices = N;
  graph->t = gsl_spmatrix_alloc(N, N);
  graph->o = gsl_spmatrix_alloc(2, N);
  int steps[] = { 1, W, W - 1 };
  for (int v = 0; v < N; v++)
    for (int k = 0; k < 3; k++) {
      int near = v + steps[k], column = v % W;
      if (near < N && !(k == 0 && column == W - 1) && !(k == 2 && column == 0)) {
        gsl_spmatrix_set(graph->t, v, near, 1);
        gsl_spmatrix_set(graph->t, near, v, 1);
      }
    }
  for (int v = 0; v < N; v++) {
    int row = v / W, column = v % W;
    int black = (row == 0 && column < W - 1) || (row == W - 1 && column > 0);
    int white = !black && (row == 0 || row == W - 1 || column == 0 || column == W - 1);
    owner[v] = black || white;
    if (owner[v])
      gsl_spmatrix_set(graph->o, white, v, 1);
  }
  initialize_graph(graph);
  struct move_t move = { W + 1, BLACK };
  if (proposes)
    move = propose_opening();
  else
    is_accepted = accept_opening(move) != 0;
  owner[move.m]++;
  enum color_t color = proposes == is_accepted ? BLACK : WHITE;
  initialize_color(color);
  if (color == BLACK)
    move = opponents(owner, WHITE);
  for (int turn = 0; turn < 3; turn++) {
    move = play(move);
    if (owner[move.m]++)
      exit(1);
    move = opponents(owner, 1 - color);
  }
  finalize();
}

int main(int argc, char **argv)
{
  (void)argv;
  play_game(argc > 1, argc > 2);
  return 0;
}
