#ifndef _HEX_GRAPH_H_
#define _HEX_GRAPH_H_

#include <gsl/gsl_spmatrix.h>
#include <stddef.h>

#define NUM_PLAYERS 2

/* Both matrices hold doubles as triplets (COO) and are never compressed. */
struct graph_t {
    size_t num_vertices;
    gsl_spmatrix *t; /* adjacency matrix, n x n: 1 for an edge, in both directions */
    gsl_spmatrix *o; /* ownership matrix, 2 x n: o[p][v] is 1 when the color p owns v */
};

#endif
