"""Flood's C interface: the common interface of the course, for two seats and up to eight colors."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ludograph.games.dialogue import AnswerFault
from ludograph.games.flood.position import FloodPosition
from ludograph.games.library import (
    Call,
    LibraryDialogue,
    LibraryInterface,
    csr_matrix,
    given,
    illegal,
    lent,
    require,
    returned,
)
from ludograph.games.timing import TimeLeft

NO_COLOR = -1
MAX_COLOR = 8
C_NAMES = ("BLUE", "RED", "GREEN", "YELLOW", "ORANGE", "VIOLET", "CYAN", "PINK")

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
typedef struct gsl_spmatrix_uint gsl_spmatrix_uint;
struct move_t { int c; };
struct color_set_t { char t[8]; };
struct graph_t { size_t num_vertices; gsl_spmatrix_uint *t; size_t positions[2]; };
char const *get_player_name();
void initialize(size_t id, struct graph_t *graph, int *colors, struct color_set_t *forbidden);
struct move_t play(struct move_t previous_move);
void finalize();
"""


class FloodLibrary(LibraryInterface):
    """The interface of C libraries that play Flood."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = ("get_player_name", "initialize", "play", "finalize")

    def check(self, position: FloodPosition) -> None:
        """Raise InvalidInput unless two seats play the standard variant with at most 8 colors."""
        seats, colors = position.seats, position.color_count
        require(seats == 2, f"flood: C players need a game with 2 seats, this one has {seats}")
        require(
            colors <= MAX_COLOR,
            f"flood: C players know at most {MAX_COLOR} colors, this game has {colors}",
        )
        require(
            not position.captures,
            "flood: C players know the standard rules only, not the capture variant",
        )

    def dialogue(self, position: FloodPosition, seat: int) -> FloodDialogue:
        """Return the messages of the game for the library on a seat."""
        return FloodDialogue(position, seat)


class FloodDialogue(LibraryDialogue):
    """One game of Flood with a C library."""

    def __init__(self, position: FloodPosition, seat: int) -> None:
        self.start, self.seat = position, seat
        self.colors = position.color_count

    def opening(self) -> list[Call]:
        """Return the call that gives graph, colors and forbidden colors to the player.

        The player frees the graph and the colors, but not the forbidden colors.
        """
        start, board = self.start, self.start.board
        matrix = csr_matrix(board.offsets, board.neighbors)
        graph = given("struct graph_t", [board.n, matrix, start.starts])
        colors = given("int", lent(start.first_colors))
        sets = np.zeros((2, MAX_COLOR), np.int8)
        for who in range(2):
            sets[who, list(start.forbidden(who))] = 1
        return [Call("initialize", (self.seat, graph, colors, lent(sets, "int8")))]

    def question(self, moves: list[int], time_left: TimeLeft) -> list[Call]:  # noqa: ARG002
        """Return the call that gives the opponent's last move and returns the player's move."""
        last = [move for move in moves if move >= 0][-1:]
        previous = last[0] if last and last[0] < self.colors else NO_COLOR
        return [Call("play", ([previous],))]

    def move(self, said: Any) -> int:
        """Return the code of the player's move: that of a color, or of a pass.

        Raises
        ------
        AnswerFault
            If the answer is no color of this game.
        """
        (answer,) = returned(said, 1)
        if answer == NO_COLOR:
            return self.colors
        if 0 <= answer < self.colors:
            return answer
        if 0 <= answer < MAX_COLOR:
            name = C_NAMES[answer].lower()
            raise illegal(f"color {answer} ({name}), but the game has {self.colors} colors")
        raise AnswerFault("protocol", f"answered {answer}, which is not a value of enum color_t")
