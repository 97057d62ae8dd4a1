"""Hex's C interface: that of the course, whose first calls settle the opening.

The course's order of calls is no plain exchange of moves, so this module translates it:

- The player on seat 0 proposes an opening. Seat 1's reply, a vertex or ``swap``, determines its
  color.
- The player on seat 1 accepts or refuses the opening. A refusal is its move ``swap``; if it
  accepts, it is white and plays its first move at once.
- If the referee has put the first stone, the player on seat 0 proposes no opening. It gets a call
  to accept the stone, from which it learns its vertex; the answer is ignored, and its color is
  settled by seat 1's reply as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ludograph.games.dialogue import AnswerFault, More
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.library import (
    Call,
    LibraryDialogue,
    LibraryInterface,
    given,
    require,
    returned,
    triplet_matrix,
)
from ludograph.games.timing import TimeLeft

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
    """The interface of C libraries that play Hex."""

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

    def check(self, position: HexPosition) -> None:
        """Raise InvalidInput unless the pie rule holds, which the interface requires."""
        require(
            position.pie,
            "hex: C players accept or refuse an opening, so they need a game with the pie rule",
        )

    def check_opening(self, position: HexPosition, moves: Sequence[int]) -> None:  # noqa: ARG002
        """Raise InvalidInput unless an opening is one stone: the interface has no other ones."""
        require(len(moves) == 1, "hex: C players can begin after one stone at most")

    def dialogue(self, position: HexPosition, seat: int) -> HexDialogue:
        """Return the messages of the game for the library on a seat."""
        return HexDialogue(position, seat)


class HexDialogue(LibraryDialogue):
    """The calls of one game of Hex with a C library.

    Attributes
    ----------
    color
        The player's color; None until the opening is settled.
    proposed
        The opening stone of seat 0, proposed by the player or put by the referee; None before.
    reader
        The function that reads the result of the last call.
    offered
        The opening that the player on seat 1 may accept.
    reply
        Seat 1's reply to an opening of the referee.
    """

    def __init__(self, position: HexPosition, seat: int) -> None:
        self.start, self.seat = position, seat
        self.vertices, self.swap = position.board.n, position.swap
        self.color: int | None = None
        self.proposed: int | None = None
        self.reader: Callable[[Any], int | More] = self.stone
        self.offered = self.reply = 0

    def opening(self) -> list[Call]:
        """Return the call with the graph and the border vertices of each color."""
        board, owners = self.start.board, self.start.borders
        ends = np.stack(
            [np.repeat(np.arange(board.n), np.diff(board.offsets)), board.neighbors], axis=1
        )
        owned = [(color, v) for color in (BLACK, WHITE) for v in np.flatnonzero(owners == color)]
        edges = triplet_matrix(board.n, board.n, ends.reshape(-1), len(board.neighbors))
        borders = triplet_matrix(2, board.n, np.array(owned).reshape(-1), board.n)
        return [Call("initialize_graph", (given("struct graph_t", [board.n, edges, borders]),))]

    def question(self, moves: list[int], time_left: TimeLeft) -> list[Call]:  # noqa: ARG002
        """Return the calls that settle the opening or, later, give the opponent's move."""
        if self.color is not None:
            return [self.play_call(moves[-1], 1 - self.color)]
        if self.seat == 0 and self.begun and self.proposed is None:
            self.proposed, self.reply, self.reader = self.begun[0], moves[-1], self.noticed
            return [Call("accept_opening", ([self.proposed, BLACK],))]
        if self.seat == 0 and not moves:
            self.reader = self.opened
            return [Call("propose_opening")]
        if self.proposed is None:
            self.reader, self.offered = self.accepted, moves[-1]
            return [Call("accept_opening", ([moves[-1], BLACK],))]
        return self.answered(moves[-1])

    def answered(self, reply: int) -> list[Call]:
        """Return the calls for seat 0 after seat 1's reply to the opening: color and move."""
        assert self.proposed is not None
        if reply == self.swap:
            return [self.color_call(WHITE), self.play_call(self.proposed, BLACK)]
        return [self.color_call(BLACK), self.play_call(reply, WHITE)]

    def move(self, said: Any) -> int | More:
        """Return the code of the player's move in the result of the last call, or further calls.

        Raises
        ------
        AnswerFault
            If the result is no vertex.
        """
        reader, self.reader = self.reader, self.stone
        return reader(said)

    def opened(self, said: Any) -> int:
        """Return the opening that the player has proposed, and note it."""
        self.proposed = self.stone(said)
        return self.proposed

    def noticed(self, said: Any) -> More:
        """Return the calls for seat 0 after it has received the referee's opening."""
        returned(said, 1)
        return More(self.answered(self.reply))

    def accepted(self, said: Any) -> More:
        """Return the calls with the color of seat 1: white if it has accepted the opening."""
        if returned(said, 1) != [0]:
            return More([self.color_call(WHITE), self.play_call(self.offered, BLACK)])
        self.reader = self.swapped
        return More([self.color_call(BLACK)])

    def swapped(self, said: Any) -> int:  # noqa: ARG002
        """Return the code of a swap."""
        return self.swap

    def stone(self, said: Any) -> int:
        """Return the vertex of an answer; its color is ignored, because players leave it unset."""
        vertex = returned(said, 2)[0]
        if not 0 <= vertex < self.vertices:
            shown = vertex - (1 << 64) if vertex >= 1 << 63 else vertex  # (size_t)-1 as -1
            what = f"answered vertex {shown}, but the vertices are 0 to {self.vertices - 1}"
            raise AnswerFault("protocol", what)
        return vertex

    def color_call(self, color: int) -> Call:
        """Note the player's color, and return the call with it."""
        self.color = color
        return Call("initialize_color", (color,))

    def play_call(self, vertex: int, color: int) -> Call:
        """Return the call that gives a stone of the opponent and returns the player's move."""
        return Call("play", ([vertex, color],))
