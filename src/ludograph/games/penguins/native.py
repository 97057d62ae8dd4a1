"""The C interface of Penguins: that of the course, for any number of players.

Each call passes all placements and moves since the player's previous call, beginning with the
player's own last one. Seats without a move, and eliminated seats, have no entries: every entry has
a target tile.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.dialogue import AnswerFault, DialogueBoard
from ludograph.games.library import Call, LibraryDialogue, LibraryInterface, illegal, lent, returned
from ludograph.games.penguins.notation import slides
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.timing import TimeLeft

NO_TILE = -1

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


class Entry(NamedTuple):
    """A placement or move of a player; the source of a placement is ``NO_TILE``."""

    player: int
    src: int
    dst: int

    def __str__(self) -> str:
        src, dst = ("NO_TILE" if tile == NO_TILE else str(tile) for tile in self[1:])
        return f"{{{self.player}, {src}, {dst}}}"


class PenguinsLibrary(LibraryInterface):
    """The interface of C libraries that play Penguins."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = ("init", "place", "play", "done")
    names: ClassVar[str] = ""
    finishes: ClassVar[str] = "done"
    needs: ClassVar[tuple[tuple[str, ...], ...]] = ()

    def check(self, position: PenguinsPosition) -> None:
        """Raise InvalidInput if two sides of a tile lead to the same tile.

        The interface identifies the side by which a line enters a tile only by the previous tile.
        """
        board = position.board
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

    def dialogue(self, position: PenguinsPosition, seat: int) -> PenguinsDialogue:
        """Return the dialogue with the library on a seat."""
        return PenguinsDialogue(position, seat)


class PenguinsDialogue(LibraryDialogue):
    """One game of Penguins with a C library.

    Attributes
    ----------
    placing
        Whether the last call requested a placement.
    """

    def __init__(self, position: PenguinsPosition, seat: int) -> None:
        self.board, self.seat = DialogueBoard(position), seat
        self.setup = position.setup
        self.placing = True

    @property
    def position(self) -> PenguinsPosition:
        """The position as far as the player knows it."""
        return self.board.position

    def opening(self) -> list[Call]:
        """Return the call that passes the tiles with their sides and their fish."""
        setup, sides = self.setup, self.position.board.sides
        assert sides is not None
        edges = np.stack([sides.tiles(), sides.neighbors], axis=1)
        tiles, seats, penguins = setup.fish.size, int(setup.seats), int(setup.penguins)
        game = (lent(edges), len(edges), lent(setup.fish), seats, penguins)
        return [Call("init", (self.seat, tiles, *game))]

    def question(self, moves: list[int], time_left: TimeLeft) -> list[Call]:  # noqa: ARG002
        """Return the call that passes all moves since the last call, and requests the next move."""
        entries = []
        for seat, move in self.board.follow(moves):
            path = self.position.path(move)
            entries.append([seat, path[0] if len(path) > 1 else NO_TILE, path[-1]])
        self.placing = self.position.is_placing
        return [Call("place" if self.placing else "play", (entries, len(entries)))]

    def move(self, said: Any) -> int:
        """Return the code of the answered placement or slide; raise AnswerFault if it is wrong."""
        entry = Entry(*returned(said, 3))
        code = self.placement(entry) if self.placing else self.slide(entry)
        self.board.answered = code
        return code

    def placement(self, answer: Entry) -> int:
        """Return the code of an answer to ``place``."""
        self.expect_own(answer)
        if answer.src != NO_TILE:
            raise wrong(answer, "the src of a placement is NO_TILE")
        self.expect_tile("dst", answer.dst, answer)
        if self.setup.fish[answer.dst] != 1:
            fish = f"tile {answer.dst} has {self.setup.fish[answer.dst]} fish"
            raise wrong(answer, f"{fish}; penguins are placed on tiles with one")
        return answer.dst

    def slide(self, answer: Entry) -> int:
        """Return the code of an answer to ``play``.

        If several lines lead to the target, as on a torus, the first free line is chosen.
        """
        self.expect_own(answer)
        self.expect_tile("src", answer.src, answer)
        self.expect_tile("dst", answer.dst, answer)
        if self.position.owner(answer.src) != self.seat:
            raise wrong(answer, f"no penguin of player {self.seat} stands on tile {answer.src}")
        codes = [code for code, tile in slides(self.setup, answer.src) if tile == answer.dst]
        if not codes:
            raise wrong(answer, f"no straight line leads from {answer.src} to {answer.dst}")
        legal = set(self.position.legal_moves())
        return next((code for code in codes if code in legal), codes[0])

    def expect_own(self, answer: Entry) -> None:
        """Raise AnswerFault if an answer has the number of another player."""
        if answer.player != self.seat:
            raise wrong(answer, f"this is player {self.seat}")

    def expect_tile(self, what: str, tile: int, answer: Entry) -> None:
        """Raise AnswerFault if a tile of an answer does not exist."""
        if tile == NO_TILE:
            raise wrong(answer, f"its {what} must be a tile")
        tiles = self.setup.fish.size
        if not 0 <= tile < tiles:
            what = f"there is no tile {tile}, the board has {tiles} tiles"
            raise AnswerFault("protocol", f"answered {answer}, but {what}")


def wrong(answer: Entry, why: str) -> AnswerFault:
    """Return the fault of an answer that is not a legal move, with the reason."""
    return illegal(f"{answer}, but {why}")
