#ifndef _FLOOD_GRAPH_H_
#define _FLOOD_GRAPH_H_

#include <gsl/gsl_spmatrix.h>
#include <gsl/gsl_spmatrix_uint.h>
#include <stddef.h>

#define NUM_PLAYERS 2

struct graph_t {
    size_t num_vertices;
    gsl_spmatrix_uint *t; /* adjacency matrix, in CSR format */
    size_t positions[NUM_PLAYERS];
};

#endif
