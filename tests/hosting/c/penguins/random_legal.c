/* Places and moves at random, by rand(), on a board that it keeps from the histories alone. */
#include "board.h"

static struct board_t board;

void init(unsigned player, size_t nb_tiles, struct edge const *edges, size_t size_edges,
          int const *fishes, size_t nb_players, size_t nb_penguins_by_player) {
    board_create(&board, player, nb_tiles, edges, size_edges, fishes, nb_players,
                 nb_penguins_by_player);
    srand(player + (unsigned)nb_tiles);
}

struct move place(struct move const *placements, size_t size_placements) {
    board_follow(&board, placements, size_placements, 1);
    int tile;
    do
        tile = rand() % board.num_tiles;
    while (board.fish[tile] != 1 || board.owner[tile] != IS_FREE);
    return board_answer(&board, (struct move){board.me, NO_TILE, tile});
}

struct move play(struct move const *moves, size_t size_moves) {
    board_follow(&board, moves, size_moves, 0);
    int count = board_moves(&board, board.me, NULL);
    expect(count > 0, "my turn, I have no move");
    struct move *mine = malloc((size_t)count * sizeof(*mine));
    board_moves(&board, board.me, mine);
    struct move choice = mine[rand() % count];
    free(mine);
    return board_answer(&board, choice);
}

void done(void) {
    printf("random legal: bye, I was told %d moves\n", board.num_told);
    board_free(&board);
}
