/* Keeps the table as a graph of libigraph, without listing that library: a vertex for every tile, an
   edge where two tiles touch. It lays its tile where that adds most edges. */
#include <igraph/igraph.h>

#include "world.h"

static struct world_t world;
static igraph_t graph;
static int num_known; /* tiles that the graph has */

static int count_beside(int x, int y, int *beside) {
    static int const right[] = {0, 1, 0, -1}, up[] = {1, 0, -1, 0};
    int count = 0;
    for (int side = 0; side < 4; side++) {
        int other = world_at(&world, x + right[side], y + up[side]);
        if (other >= 0)
            beside[count++] = other;
    }
    return count;
}

static void follow(void) {
    for (; num_known < world.num_laid; num_known++) {
        int beside[4];
        igraph_add_vertices(&graph, 1, NULL);
        int count = count_beside(world.laid[num_known].x, world.laid[num_known].y, beside);
        for (int k = 0; k < count; k++)
            if (beside[k] < num_known)
                igraph_add_edge(&graph, num_known, beside[k]);
    }
    igraph_bool_t is_connected;
    igraph_is_connected(&graph, &is_connected, IGRAPH_WEAK);
    expect(is_connected && igraph_vcount(&graph) == world.num_laid, "the tiles, they lie apart");
}

char const *get_player_name() { return "uses igraph"; }

void initialize(unsigned int player_id, const struct move_t first_move,
                struct gameconfig_t config) {
    world_create(&world, player_id, first_move, config);
    igraph_empty(&graph, 0, IGRAPH_UNDIRECTED);
}

struct move_t play(const struct move_t previous_move, const struct tile_t tile) {
    int beside[4], most = 0;
    world_follow(&world, previous_move, tile);
    follow();
    int count = world_moves(&world, tile, NULL);
    struct move_t *mine = room((size_t)count, sizeof(*mine)), best;
    world_moves(&world, tile, mine);
    memset(&best, 0, sizeof(best));
    for (int k = 0; k < count; k++)
        if (count_beside(mine[k].x, mine[k].y, beside) > most) {
            most = count_beside(mine[k].x, mine[k].y, beside);
            best = mine[k];
        }
    free(mine);
    world_play(&world, best);
    return best;
}

void finalize() {
    igraph_destroy(&graph);
    world_free(&world);
}
