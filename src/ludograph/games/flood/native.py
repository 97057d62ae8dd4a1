"""Flood's C interface: the common one of the course, for two seats and up to eight colors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface, require

NO_COLOR = -1
MAX_COLOR = 8
C_NAMES = ("BLUE", "RED", "GREEN", "YELLOW", "ORANGE", "VIOLET", "CYAN", "PINK")
CSR = 2  # GSL_SPMATRIX_CSR

HEADER = """\
/* player.h: what a player of Flood is made of.

   Build it as a shared library:
       gcc -std=c99 -Wall -shared -fPIC my_player.c -o my_player.so -lgsl -lgslcblas -lm       */
#ifndef FLOOD_PLAYER_H
#define FLOOD_PLAYER_H

#include <stddef.h> /* first: some versions of gsl_spmatrix.h need it and do not say so */

#include <gsl/gsl_spmatrix.h>

enum color_t {
  BLUE = 0, RED, GREEN, YELLOW, ORANGE, VIOLET, CYAN, PINK,
  MAX_COLOR = 8,
  NO_COLOR = -1 /* to pass; also the previous move of a game's first move */
};

struct move_t { enum color_t c; };

struct color_set_t { char t[MAX_COLOR]; }; /* t[c] == 1: color c is in the set */

#define NUM_PLAYERS 2

struct graph_t {
  size_t num_vertices;
  gsl_spmatrix_uint *t;          /* n x n adjacency in CSR: neighbors of v are t->i[k] */
                                 /* for t->p[v] <= k < t->p[v + 1]                     */
  size_t positions[NUM_PLAYERS]; /* the start vertices, by id */
};

/* The player's name: letters, digits, blanks, '-' and '_'. */
char const *get_player_name();

/* Called once. `id` is 0 for the player that moves first. The player owns `graph` with its
   matrix and `colors` (a color per vertex) and frees them; `forbidden` (a set per id) stays the
   caller's, copy it. */
void initialize(size_t id, struct graph_t *graph, enum color_t *colors,
                struct color_set_t forbidden[NUM_PLAYERS]);

/* Gets the opponent's move, returns the player's own. */
struct move_t play(struct move_t previous_move);

/* The game is over: free everything. */
void finalize();

#endif
"""

DECLARATIONS = """
typedef struct {
  size_t size1; size_t size2; int *i; unsigned int *data; int *p; size_t nzmax; size_t nz; ...;
} gsl_spmatrix_uint;
gsl_spmatrix_uint *gsl_spmatrix_uint_alloc_nzmax(size_t, size_t, size_t, int);
void *malloc(size_t);
struct move_t { int c; };
struct color_set_t { char t[8]; };
struct graph_t { size_t num_vertices; gsl_spmatrix_uint *t; size_t positions[2]; };
char const *get_player_name();
void initialize(size_t id, struct graph_t *graph, int *colors, struct color_set_t *forbidden);
struct move_t play(struct move_t previous_move);
void finalize();
""".replace("...;", "")  # the fields behind are libgsl's own and never touched here


class FloodLibrary(LibraryInterface):
    """How C libraries play Flood."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = ("get_player_name", "initialize", "play", "finalize")

    def check(self, description: Mapping[str, Any]) -> None:
        """Raise InvalidInput unless there are two seats and at most eight colors."""
        seats = len(description["starts"])
        require(seats == 2, f"flood: C players need a game with 2 seats, this one has {seats}")
        colors = description["colors"]
        require(
            colors <= MAX_COLOR,
            f"flood: C players know at most {MAX_COLOR} colors, this game has {colors}",
        )
        require(
            description["variant"] == "standard",
            "flood: C players know the standard rules only, not the capture variant",
        )

    def bind(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> LibraryGame:
        """Return the game's side of a loaded library."""
        return FloodLibraryGame(ffi, library, globals_)


class FloodLibraryGame(LibraryGame):
    """One game of Flood with a C library."""

    def __init__(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> None:
        super().__init__(ffi, library, globals_)
        self.colors = 0
        self.forbidden: Any = None

    def start(self, board: Mapping[str, Any], description: Mapping[str, Any], seat: int) -> None:
        """Build the graph with libgsl and the C allocator, for the player to free."""
        ffi = self.ffi
        self.colors = int(description["colors"])
        coloring = description["coloring"]
        graph = self.allocate("struct graph_t")
        graph.num_vertices = len(coloring)
        graph.t = self.matrix(board["offsets"], board["neighbors"])
        graph.positions[0], graph.positions[1] = description["starts"]
        colors = self.allocate("int", len(coloring))
        self.fill(colors, "int", coloring)
        self.forbidden = ffi.new("struct color_set_t[2]")
        for who, forbidden in enumerate(description["forbidden"]):
            for color in forbidden:
                self.forbidden[who].t[color] = b"\1"
        self.library.initialize(seat, graph, colors, self.forbidden)

    def fill(self, target: Any, kind: str, values: list[int]) -> None:
        """Copy numbers into C memory."""
        source = self.ffi.new(f"{kind}[]", values)
        self.ffi.memmove(target, source, self.ffi.sizeof(source))

    def matrix(self, offsets: list[int], neighbors: list[int]) -> Any:
        """Return a symmetric adjacency matrix of ones in CSR, made by libgsl."""
        vertices, entries = len(offsets) - 1, len(neighbors)
        matrix = self.gsl.gsl_spmatrix_uint_alloc_nzmax(vertices, vertices, max(1, entries), CSR)
        if matrix == self.ffi.NULL:
            raise MemoryError(f"libgsl has no memory for a matrix of {entries} entries")
        self.fill(matrix.p, "int", offsets)
        self.fill(matrix.i, "int", neighbors)
        self.fill(matrix.data, "unsigned int", [1] * entries)
        matrix.nz = entries
        return matrix

    def play(self, moves: list[int]) -> int:
        """Tell the opponent's move, return the player's."""
        previous = self.ffi.new("struct move_t *")
        last = [move for move in moves if move >= 0][-1:]
        previous.c = last[0] if last and last[0] < self.colors else NO_COLOR
        answer = int(self.library.play(previous[0]).c)
        if answer == NO_COLOR:
            return self.colors
        if 0 <= answer < self.colors:
            return answer
        if 0 <= answer < MAX_COLOR:
            name = C_NAMES[answer].lower()
            text = f"color {answer} ({name}), but the game has {self.colors} colors"
            raise AnswerFault(text, illegal=True)
        raise AnswerFault(f"{answer}, which is no value of enum color_t", illegal=False)

    def finish(self) -> None:
        """Tell the player that the game is over."""
        self.library.finalize()


LIBRARY = FloodLibrary()
"""Where the host of a library finds the interface."""
