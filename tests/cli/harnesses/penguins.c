#include "player.h"
#include <stdlib.h>

enum { W = 5, N = W * W };

/* Squares, one penguin each. What is handed over is freed at once, so that a sanitizer finds who
   looks at it later. */
int main()
{
  struct edge *edges = malloc(4 * N * sizeof *edges);
  int *fishes = malloc(N * sizeof *fishes), taken[N] = { 0 };
  for (int v = 0; v < N; v++) {
    int column = v % W;
    int near[] = { v - W, column < W - 1 ? v + 1 : -1, v + W, column > 0 ? v - 1 : -1 };
    for (int k = 0; k < 4; k++)
      edges[4 * v + k] = (struct edge){ v, near[k] < 0 || near[k] >= N ? NO_TILE : near[k] };
    fishes[v] = v % 2 == 0 ? 1 : 2;
  }
  init(0, N, edges, 4 * N, fishes, 2, 1);
  free(edges);
  free(fishes);
  struct move last, others = { 1, NO_TILE, 0 }; /* the other one places, and moves no more */
  taken[0] = 1;
  for (int turn = 0; turn < 8; turn++) {
    struct move *told = malloc(2 * sizeof *told);
    size_t size = 0;
    if (turn > 0)
      told[size++] = last;
    if (turn < 1)
      told[size++] = others;
    last = turn < 1 ? place(told, size) : play(told, size);
    free(told);
    if (last.player != 0 || last.dst < 0 || last.dst >= N || taken[last.dst]++)
      exit(1);
    if ((last.src == NO_TILE) != (turn < 1))
      exit(2);
  }
  done();
  return 0;
}
