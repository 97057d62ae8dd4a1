/* Checks the edges and the fish that it is given, then plays the first legal move.

   Every tile has an even number of sides, one after another, tile by tile; two tiles are neighbors
   of each other or not at all; every line leads there and back.
   LUDOGRAPH_FIRST_TILE may name what lies around tile 0, side by side: "-1 1 7 -1". */
#include "board.h"

static struct board_t board;

static int count_to(int tile, int near) {
    int count = 0;
    for (int k = board.row[tile]; k < board.row[tile + 1]; k++)
        count += board.side[k] == near;
    return count;
}

/* The way back along a line is the same one, from any of its tiles. */
static void check_line(int start, int k) {
    int *line = room((size_t)board.num_tiles), *back = room((size_t)board.num_tiles);
    int length = board_reach(&board, start, k, line);
    for (int i = 0; i < length; i++) {
        int before = i == 0 ? start : line[i - 1];
        int reached = board_reach(&board, line[i], board_side_to(&board, line[i], before), back);
        expect(reached >= i + 1, "the length of a line back");
        for (int j = 0; j < i; j++)
            expect(back[j] == line[i - 1 - j], "a tile on the line back");
        expect(back[i] == start, "the end of a line back");
    }
    free(line);
    free(back);
}

void init(unsigned player, size_t nb_tiles, struct edge const *edges, size_t size_edges,
          int const *fishes, size_t nb_players, size_t nb_penguins_by_player) {
    board_create(&board, player, nb_tiles, edges, size_edges, fishes, nb_players,
                 nb_penguins_by_player);
    int num_ones = 0;
    for (int v = 0; v < board.num_tiles; v++) {
        int sides = board.row[v + 1] - board.row[v];
        expect(sides >= 2 && sides % 2 == 0, "the number of sides of a tile");
        expect(1 <= fishes[v] && fishes[v] <= 3, "the number of fish");
        num_ones += fishes[v] == 1;
        for (int k = 0; k < sides; k++) {
            int near = board.side[board.row[v] + k];
            expect(NO_TILE <= near && near < board.num_tiles && near != v, "a neighbor");
            if (near != NO_TILE) {
                expect(count_to(v, near) == 1 && count_to(near, v) == 1, "an edge back");
                check_line(v, k);
            }
        }
    }
    expect(2 * num_ones >= board.num_tiles, "the number of tiles with one fish");
    expect((size_t)num_ones >= nb_players * nb_penguins_by_player, "room for the penguins");
    char const *around = getenv("LUDOGRAPH_FIRST_TILE");
    if (around == NULL)
        return;
    char *end;
    for (int k = board.row[0]; k < board.row[1]; k++, around = end)
        expect(strtol(around, &end, 10) == board.side[k] && end != around, "tile 0");
    expect(*around == '\0', "the number of sides of tile 0");
}

struct move place(struct move const *placements, size_t size_placements) {
    int tile = 0;
    board_follow(&board, placements, size_placements, 1);
    while (board.fish[tile] != 1 || board.owner[tile] != IS_FREE)
        tile++;
    return board_answer(&board, (struct move){board.me, NO_TILE, tile});
}

struct move play(struct move const *moves, size_t size_moves) {
    board_follow(&board, moves, size_moves, 0);
    struct move *mine = malloc((size_t)board_moves(&board, board.me, NULL) * sizeof(*mine));
    board_moves(&board, board.me, mine);
    struct move choice = mine[0];
    free(mine);
    return board_answer(&board, choice);
}

void done(void) { board_free(&board); }
