"""Hex's C interface: that of the course, in which the opening is settled before the game begins.

The course's order of calls differs from a plain exchange of moves, so this module translates:

- Seat 0 is asked to propose an opening. The answer, a vertex or ``swap``, tells it its color.
- Seat 1 is asked whether it accepts the opening. To refuse is its move ``swap``; if it accepts, it
  is white and at once asked to play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface, require

BLACK, WHITE = 0, 1
COO = 0  # GSL_SPMATRIX_COO, which older versions call TRIPLET

HEADER = """\
/* player.h: what a player of Hex is made of.

   Build it as a shared library:
       gcc -std=c99 -Wall -shared -fPIC my_player.c -o my_player.so -lgsl -lgslcblas -lm       */
#ifndef HEX_PLAYER_H
#define HEX_PLAYER_H

#include <stddef.h> /* first: some versions of gsl_spmatrix.h need it and do not say so */

#include <gsl/gsl_spmatrix.h>

enum color_t { BLACK = 0, WHITE = 1, NO_COLOR = 2 };

struct move_t {
  size_t m;       /* a vertex */
  enum color_t c; /* whose stone is put there */
};

struct graph_t {
  size_t num_vertices; /* n */
  gsl_spmatrix *t;     /* n x n: 1 where two vertices are neighbors, in both directions */
  gsl_spmatrix *o;     /* 2 x n: 1 where a color owns a vertex; at first the borders */
};                     /* both in COO (triplets): read them with gsl_spmatrix_get */

/* The player's name: letters, digits, blanks, '-' and '_'. */
char const *get_player_name();

/* Called first, once. The player owns the graph with its matrices and frees them. */
void initialize_graph(struct graph_t *graph);

/* Before the first move one player, the proposer, chooses the first stone, which is black. */
struct move_t propose_opening();

/* The other player answers: not 0 to play white against that stone, 0 to take it and be black. */
int accept_opening(const struct move_t opening);

/* Called once, when the colors are settled. */
void initialize_color(enum color_t id);

/* Gets the opponent's move, returns the player's own. White moves first; its first call is given
   the opening. */
struct move_t play(struct move_t previous_move);

/* The game is over: free everything. */
void finalize();

#endif
"""

DECLARATIONS = """
typedef struct gsl_spmatrix gsl_spmatrix;
gsl_spmatrix *gsl_spmatrix_alloc_nzmax(size_t, size_t, size_t, int);
int gsl_spmatrix_set(gsl_spmatrix *, size_t, size_t, double);
void *malloc(size_t);
struct move_t { size_t m; int c; };
struct graph_t { size_t num_vertices; gsl_spmatrix *t; gsl_spmatrix *o; };
char const *get_player_name();
void initialize_graph(struct graph_t *graph);
struct move_t propose_opening();
int accept_opening(const struct move_t opening);
void initialize_color(int id);
struct move_t play(struct move_t previous_move);
void finalize();
"""


class HexLibrary(LibraryInterface):
    """How C libraries play Hex."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = (
        "get_player_name",
        "initialize_graph",
        "propose_opening",
        "accept_opening",
        "initialize_color",
        "play",
        "finalize",
    )

    def check(self, description: Mapping[str, Any]) -> None:
        """Raise InvalidInput unless the pie rule holds: the interface has no game without it."""
        require(
            bool(description["pie"]),
            "hex: C players accept or refuse an opening, so they need a game with the pie rule",
        )

    def bind(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> LibraryGame:
        """Return the game's side of a loaded library."""
        return HexLibraryGame(ffi, library, globals_)


class HexLibraryGame(LibraryGame):
    """One game of Hex with a C library."""

    def __init__(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> None:
        super().__init__(ffi, library, globals_)
        self.vertices = 0
        self.seat = 0
        self.color: int | None = None
        self.opening: int | None = None

    def start(self, board: Mapping[str, Any], description: Mapping[str, Any], seat: int) -> None:
        """Build the graph with libgsl and the C allocator, for the player to free."""
        offsets, neighbors = board["offsets"], board["neighbors"]
        self.vertices, self.seat = len(offsets) - 1, seat
        graph = self.allocate("struct graph_t")
        edges = (
            (vertex, near)
            for vertex in range(self.vertices)
            for near in neighbors[offsets[vertex] : offsets[vertex + 1]]
        )
        black, white = description["black"], description["white"]
        owned = [*((BLACK, vertex) for vertex in black), *((WHITE, vertex) for vertex in white)]
        graph.num_vertices = self.vertices
        graph.t = self.matrix(self.vertices, edges, len(neighbors))
        graph.o = self.matrix(2, owned, self.vertices)
        self.library.initialize_graph(graph)

    def matrix(self, rows: int, entries: Iterable[tuple[int, int]], room: int) -> Any:
        """Return a matrix of triplets that is 1 at the entries, made by libgsl.

        ``gsl_spmatrix_set`` also builds the tree that ``gsl_spmatrix_get`` looks into.
        """
        matrix = self.gsl.gsl_spmatrix_alloc_nzmax(rows, self.vertices, max(1, room), COO)
        if matrix == self.ffi.NULL:
            raise MemoryError(f"libgsl has no memory for a matrix of {room} entries")
        for row, column in entries:
            self.gsl.gsl_spmatrix_set(matrix, row, column, 1.0)
        return matrix

    def play(self, moves: list[int]) -> int:
        """Settle the opening, then exchange moves."""
        if self.color is None:
            return self.propose() if self.opening is None and not moves else self.settle(moves[-1])
        return self.ask(moves[-1], 1 - self.color)

    def propose(self) -> int:
        """Return the opening stone of seat 0."""
        self.opening = self.vertex(self.library.propose_opening())
        return self.opening

    def settle(self, move: int) -> int:
        """Take in the other seat's first move, which decides on the colors."""
        if self.seat == 0 and self.opening is not None:
            if move == self.vertices:  # a swap
                self.become(WHITE)
                return self.ask(self.opening, BLACK)
            self.become(BLACK)
            return self.ask(move, WHITE)
        if self.library.accept_opening(self.move(move, BLACK)):
            self.become(WHITE)
            return self.ask(move, BLACK)
        self.become(BLACK)
        return self.vertices

    def become(self, color: int) -> None:
        """Tell the player its color."""
        self.color = color
        self.library.initialize_color(color)

    def ask(self, previous: int, color: int) -> int:
        """Tell a stone of the opponent's, return the player's own."""
        return self.vertex(self.library.play(self.move(previous, color)))

    def move(self, vertex: int, color: int) -> Any:
        """Return a move as C passes it."""
        move = self.ffi.new("struct move_t *")
        move.m, move.c = vertex, color
        return move[0]

    def vertex(self, answer: Any) -> int:
        """Return the vertex of an answer; its color is not looked at, players leave it unset."""
        vertex = int(answer.m)
        if vertex >= self.vertices:
            raise AnswerFault(
                f"vertex {vertex}, but the vertices are 0 to {self.vertices - 1}", illegal=True
            )
        return vertex

    def finish(self) -> None:
        """Tell the player that the game is over."""
        self.library.finalize()


LIBRARY = HexLibrary()
"""Where the host of a library finds the interface."""
