"""Penguins' C interface: that of the course, for any number of players.

Every call gets all that has happened since the player's previous one, its own last placement or
move first; see :mod:`ludograph.games.penguins.history`.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from ludograph.errors import InvalidInput
from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface
from ludograph.games.penguins.history import NO_TILE, Entry, History, Lines

if TYPE_CHECKING:  # the host process has no boards
    from ludograph.boards import Board
    from ludograph.games.position import Position

HEADER = """\
/* player.h: what a player of Penguins is made of.

   Build it as a shared library:
       gcc -std=c99 -Wall -shared -fPIC my_player.c -o my_player.so                            */
#ifndef PENGUINS_PLAYER_H
#define PENGUINS_PLAYER_H

#include <stddef.h>

#define NO_TILE (-1)

/* One side of the tile `src`; what lies beyond it is the tile `dst`, or water: NO_TILE. */
struct edge {
  int src;
  int dst;
};

/* What a player does, or is told that one did:
     { p, src, dst }           player p slides a penguin from src to dst
     { p, NO_TILE, dst }       player p places a penguin on dst
   Who has no move left, or has been eliminated, is simply not heard of any more; its penguins
   stay where they are, for good. */
struct move {
  int player;
  int src;
  int dst;
};

/* Called once, first. `player` counts from 0, in the order of the turns; tiles count from 0.
   A tile with N sides has N edges, one after another, clockwise from a direction common to all
   tiles; N is even, and a straight line that enters a tile by its side k leaves it by its side
   (k + N / 2) % N. `fishes` has a number from 1 to 3 for every tile.
   Both arrays are gone when init returns: copy what you need. */
void init(unsigned player, size_t nb_tiles, struct edge const *edges, size_t size_edges,
          int const *fishes, size_t nb_players, size_t nb_penguins_by_player);

/* Returns a placement on a free tile with one fish: { player, NO_TILE, dst }.
   Called once for each penguin. `placements` holds, in order, all that has happened since the
   player's previous call, beginning with the player's own last placement; size_placements is 0
   if that is nothing at all. The array is gone when place returns. */
struct move place(struct move const *placements, size_t size_placements);

/* Returns a move of one of the player's penguins: { player, src, dst }.
   Called, once all penguins are placed, whenever it is the player's turn and it has a move.
   `moves` is as in place; at the first call it begins with the player's own last placement, and
   the other players' placements and moves since then follow. */
struct move play(struct move const *moves, size_t size_moves);

/* The game is over, at least for this player: free everything. */
void done(void);

#endif
"""

DECLARATIONS = """
struct edge { int src; int dst; };
struct move { int player; int src; int dst; };
void init(unsigned player, size_t nb_tiles, struct edge const *edges, size_t size_edges,
          int const *fishes, size_t nb_players, size_t nb_penguins_by_player);
struct move place(struct move const *placements, size_t size_placements);
struct move play(struct move const *moves, size_t size_moves);
void done(void);
"""


class PenguinsLibrary(LibraryInterface):
    """How C libraries play Penguins."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = ("init", "place", "play", "done")
    needs: ClassVar[tuple[tuple[str, ...], ...]] = ()

    def check(self, description: Mapping[str, Any]) -> None:
        """Let any number of players with any number of penguins play."""

    def check_board(self, board: Board) -> None:
        """Raise InvalidInput if two sides of a tile lead to the same tile.

        The interface tells no more of a line that enters a tile than where it comes from.
        """
        import numpy as np  # the host process does without

        sides = board.sides
        assert sides is not None  # a game of Penguins is played on it
        dry = np.flatnonzero(sides.neighbors != NO_TILE)
        ways = sides.tiles()[dry].astype(np.int64) * board.n + sides.neighbors[dry]
        different, counts = np.unique(ways, return_counts=True)
        twice = different[counts > 1].tolist()
        if twice:
            tile, other = divmod(twice[0], board.n)
            raise InvalidInput(
                "penguins: C players follow a line by the tiles that it comes from, "
                f"but two sides of tile {tile} lead to tile {other}"
            )

    def board_data(self, position: Position) -> dict[str, Any]:
        """Return the sides of the tiles and how lines go on, see ``Lines``."""
        sides, setup = position.board.sides, position.setup
        assert sides is not None
        return {
            "offsets": sides.offsets.tolist(),
            "neighbors": sides.neighbors.tolist(),
            "ahead": setup.ahead.tolist(),
            "shift": int(setup.shift),
        }

    def bind(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> LibraryGame:
        """Return the game's side of a loaded library."""
        return PenguinsLibraryGame(ffi, library, globals_)


class PenguinsLibraryGame(LibraryGame):
    """One game of Penguins with a C library."""

    history: History

    def __init__(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> None:
        super().__init__(ffi, library, globals_)
        self.seat = 0
        self.fish: list[int] = []

    def name(self) -> str | None:
        """Return None: players of Penguins do not say what they are called."""
        return None

    def start(self, board: Mapping[str, Any], description: Mapping[str, Any], seat: int) -> None:
        """Tell the player the tiles with their fish; both arrays are freed behind it."""
        seats, penguins = description["seats"], description["penguins"]
        self.seat, self.fish = seat, description["fish"]
        lines = Lines(board)
        self.history = History(lines, seats, penguins)
        offsets = lines.offsets
        ends = array("i", bytes(2 * array("i").itemsize * len(lines.neighbors)))
        ends[0::2] = array(
            "i", (v for v in range(lines.tiles) for _ in range(offsets[v], offsets[v + 1]))
        )
        ends[1::2] = array("i", lines.neighbors)
        edges = self.ffi.from_buffer("struct edge[]", ends)
        fishes = self.ffi.from_buffer("int[]", array("i", self.fish))
        self.library.init(seat, lines.tiles, edges, len(lines.neighbors), fishes, seats, penguins)

    def play(self, moves: list[int]) -> int:
        """Tell what has happened; return the code of the placement or the move."""
        history = self.history
        history.follow(moves)
        history.turn_of(self.seat)
        placing = history.placing
        entries = [tuple(entry) for entry in history.news]
        told = self.ffi.new("struct move[]", entries or 1)  # not NULL, even if there are none
        call = self.library.place if placing else self.library.play
        answer = call(told, len(entries))
        entry = Entry(int(answer.player), int(answer.src), int(answer.dst))
        code = self.placement(entry) if placing else self.move(entry)
        history.news.clear()
        history.follow([code])
        return code

    def placement(self, answer: Entry) -> int:
        """Return the code of what ``place`` answered."""
        self.expect_own(answer)
        if answer.src != NO_TILE:
            raise wrong(answer, "the src of a placement is NO_TILE")
        self.expect_tile(answer, "dst", answer.dst)
        if self.fish[answer.dst] != 1:
            fish = f"tile {answer.dst} has {self.fish[answer.dst]} fish"
            raise wrong(answer, f"{fish}, penguins are placed on one")
        return answer.dst

    def move(self, answer: Entry) -> int:
        """Return the code of what ``play`` answered."""
        self.expect_own(answer)
        self.expect_tile(answer, "src", answer.src)
        self.expect_tile(answer, "dst", answer.dst)
        if self.history.owners.get(answer.src) != self.seat:
            raise wrong(answer, f"no penguin of player {self.seat} stands on tile {answer.src}")
        code = self.history.lines.code(answer.src, answer.dst, self.history.taken)
        if code is None:
            raise wrong(answer, f"no straight line leads from {answer.src} to {answer.dst}")
        return code

    def expect_own(self, answer: Entry) -> None:
        """Raise AnswerFault if an answer is in another player's name."""
        if answer.player != self.seat:
            raise wrong(answer, f"this is player {self.seat}")

    def expect_tile(self, answer: Entry, what: str, tile: int) -> None:
        """Raise AnswerFault if a tile does not exist."""
        if tile == NO_TILE:
            raise wrong(answer, f"its {what} must be a tile")
        if not 0 <= tile < len(self.fish):
            raise wrong(answer, f"there is no tile {tile}, the board has {len(self.fish)} tiles")

    def finish(self) -> None:
        """Tell the player that the game is over."""
        self.library.done()


def wrong(answer: Entry, why: str) -> AnswerFault:
    """Return the fault of an answer that is no move of this game."""
    return AnswerFault(f"{answer}, but {why}", illegal=True)


LIBRARY = PenguinsLibrary()
"""Where the host of a library finds the interface."""
