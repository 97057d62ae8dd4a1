"""The C interface of Carcassonne: that of the course, for two players.

The deck is passed kind by kind, never in the order of dealing. Each tile is passed with the call
that requests its placement.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludograph.games.carcassonne.interaction import why_not
from ludograph.games.carcassonne.notation import Placement, placement_code
from ludograph.games.carcassonne.position import CarcassonnePosition
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.tiles import VERTEX_NAMES, VERTICES, Tile
from ludograph.games.dialogue import AnswerFault, DialogueBoard
from ludograph.games.library import (
    Call,
    LibraryDialogue,
    LibraryInterface,
    given,
    illegal,
    lent,
    require,
    returned,
)
from ludograph.games.timing import TimeLeft

HEADER = """\
/* player.h: what a player of Carcassonne is made of.

   Build it as a shared library:
       gcc -std=c99 -Wall -shared -fPIC my_player.c -o my_player.so                            */
#ifndef CARCASSONNE_PLAYER_H
#define CARCASSONNE_PLAYER_H

#include <stddef.h>

#define NUM_PLAYERS 2

enum player_color_t { BLACK = 0, WHITE = 1, SERVER = -1 };

/* NO_MEEPLE: who closes a component gets its points. The other two: who has most meeples in it. */
enum gamemode_t { NO_MEEPLE = 0, INFINITE_MEEPLE = 1, FINITE_MEEPLE = 2 };

/* Terrains: GREEN is field, GRAY is road, BROWN is castle. The others are worth nothing. */
enum color_t { GREEN, GRAY, BLUE, BROWN, PURPLE, GOLD, AZURE, MAHOGANY };

/* The vertices of a tile, clockwise: three on each side, from the top left, and the center. */
enum conn_t {
  NW = 0, NN, NE, /* north, left to right */
  EN, EE, ES,     /* east, top to bottom  */
  SE, SS, SW,     /* south, right to left */
  WS, WW, WN,     /* west, bottom to top  */
  CENTER = 12,
  MAX_CONNECTIONS = 13,
  NO_CONNECTION = 14 /* no meeple */
};

/* Vertices hang together if they have the same t: which numbers are used means nothing.
   Turned by a quarter, clockwise, a tile has at (v + 3) % 12 what was at v; CENTER stays. */
struct tile_t {
  unsigned int t[MAX_CONNECTIONS]; /* the component of every vertex */
  enum color_t c[MAX_CONNECTIONS]; /* the terrain of every vertex */
};

/* A tile as it was placed. x grows to the east, y to the north. */
struct move_t {
  enum player_color_t player_id;
  int x;
  int y;
  struct tile_t tile;
  enum conn_t meeple; /* a vertex of the tile, or NO_CONNECTION; no matter in NO_MEEPLE */
};

struct deck_t {
  struct tile_t *deck;
  size_t size;
  size_t capacity;
};

struct gameconfig_t {
  enum gamemode_t mode;
  size_t meeples;      /* of each player in FINITE_MEEPLE, else 0 */
  struct deck_t *deck; /* all tiles, that of the first move at 0, then kind by kind: the order
                          says nothing of what is dealt when */
};

/* The player's name: letters, digits, blanks, '-' and '_'. */
char const *get_player_name();

/* Called once, first. player_id is BLACK for the player that moves first. The first move is the
   server's: the tile at (0, 0). The player owns config.deck and config.deck->deck, both from
   malloc, and frees them. */
void initialize(unsigned int player_id, const struct move_t first_move, struct gameconfig_t config);

/* Gets the move made last, which is the opponent's, and the tile to place; returns the player's
   own move. The first call of the game gets the server's first move. */
struct move_t play(const struct move_t previous_move, const struct tile_t tile);

/* The game is over: free everything. */
void finalize();

#endif
"""

DECLARATIONS = """
struct tile_t { int t[13]; int c[13]; };
struct move_t { int player_id; int x; int y; struct tile_t tile; int meeple; };
struct deck_t { struct tile_t *deck; size_t size; size_t capacity; };
struct gameconfig_t { int mode; size_t meeples; struct deck_t *deck; };
char const *get_player_name();
void initialize(unsigned int player_id, const struct move_t first_move, struct gameconfig_t config);
struct move_t play(const struct move_t previous_move, const struct tile_t tile);
void finalize();
"""
"""Enumerations are plain ``int`` here: a compiler may choose an unsigned type, and change -1."""


SERVER = -1
NO_CONNECTION = 14
"""For C players: no meeple."""


class CarcassonneLibrary(LibraryInterface):
    """The interface of C libraries that play Carcassonne."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = ("get_player_name", "initialize", "play", "finalize")
    needs: ClassVar[tuple[tuple[str, ...], ...]] = ()
    wants: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("libigraph.so.3", "libigraph.so.4", "libigraph.so.0", "libigraph.so"),
    )

    def check(self, position: CarcassonnePosition) -> None:
        """Raise InvalidInput unless the game has two seats and the course rules."""
        require(
            not position.setup.official,
            "carcassonne: C players play by the course's rules; their interface has no shields and "
            "no monasteries (--rules course)",
        )
        seats = position.seats
        require(
            seats == 2, f"carcassonne: C players need a game with 2 seats, this one has {seats}"
        )

    def dialogue(self, position: CarcassonnePosition, seat: int) -> CarcassonneDialogue:
        """Return the dialogue with the library on a seat."""
        return CarcassonneDialogue(position, seat)


class Answer(NamedTuple):
    """The answer of a player to a request for a placement."""

    player: int
    x: int
    y: int
    tile: Tile
    meeple: int
    quarters: int | None
    """The quarters by which the dealt tile is turned; None if the answer has another tile."""

    def __str__(self) -> str:
        tile = "another tile" if self.quarters is None else f"r{self.quarters}"
        meeple = "NO_CONNECTION" if self.meeple == NO_CONNECTION else str(self.meeple)
        if 0 <= self.meeple < VERTICES:
            meeple = VERTEX_NAMES[self.meeple]
        return f"{{{self.player}, {self.x}, {self.y}, {tile}, {meeple}}}"


class CarcassonneDialogue(LibraryDialogue):
    """One game of Carcassonne with a C library.

    Attributes
    ----------
    last
        The last placement, as it is passed to C.
    dealt
        The kind of the tile dealt last.
    """

    def __init__(self, position: CarcassonnePosition, seat: int) -> None:
        self.board, self.seat = DialogueBoard(position), seat
        self.setup, self.deck = position.setup, position.deck
        self.last = placed(SERVER, 0, 0, self.deck.first, NO_CONNECTION)
        self.dealt = -1

    @property
    def position(self) -> CarcassonnePosition:
        """The position as far as the player knows it."""
        return self.board.position

    def opening(self) -> list[Call]:
        """Return the call that passes the first tile, the mode and the deck, kind by kind."""
        kinds = self.deck.kinds
        tiles = np.array([values(self.deck.first), *(values(kind.tile) for kind in kinds)])
        numbers = np.repeat(tiles, [1, *(kind.count for kind in kinds)], axis=0)
        size = len(numbers)
        deck = given("struct deck_t", [given("struct tile_t", lent(numbers)), size, size])
        return [Call("initialize", (self.seat, self.last, self.config(deck)))]

    def config(self, deck: Any) -> list[Any]:
        """Return a ``struct gameconfig_t``."""
        return [int(self.setup.mode), int(self.setup.meeples), deck]

    def question(self, moves: list[int], time_left: TimeLeft) -> list[Call]:  # noqa: ARG002
        """Return the call that passes the last placement and the dealt tile."""
        for seat, move in self.board.follow(moves):
            if seat is None:
                self.dealt = move
                continue
            x, y, quarters, vertex = self.position.placement(move)
            tile = self.deck.kinds[self.dealt].tile.rotated(quarters)
            self.last = placed(seat, x, y, tile, NO_CONNECTION if vertex is None else vertex)
        dealt = self.deck.kinds[self.dealt].tile
        return [Call("play", (self.last, [list(dealt.components), list(map(int, dealt.terrains))]))]

    def move(self, said: Any) -> int:
        """Return the code of the answered placement; raise AnswerFault if it is not legal."""
        answer = self.understood(iter(returned(said, 4 + 2 * VERTICES)))
        tile = self.expect_tile(answer)
        assert answer.quarters is not None
        self.expect_meeple(answer)
        put = None if answer.meeple == NO_CONNECTION else answer.meeple
        vertex = put
        if put is not None:  # the code has the first vertex of the component
            vertex = tile.components.index(tile.components[put])
        placement = Placement(answer.x, answer.y, answer.quarters, vertex)
        code = placement_code(self.setup, placement)
        position = self.position
        if self.off_table(answer) or code not in position.legal_moves():
            why = why_not(position, answer.x, answer.y, tile, put)
            if why:
                raise wrong(answer, why)
        self.board.answered = code
        return code

    def off_table(self, answer: Answer) -> bool:
        """Tell whether a cell is beyond the table: then it has no number."""
        return max(abs(answer.x), abs(answer.y)) >= self.setup.layout.reach

    def understood(self, numbers: Iterator[int]) -> Answer:
        """Return the answer in the numbers that ``play`` has returned."""
        player, x, y = (next(numbers) for _ in range(3))
        components, terrains = (tuple(next(numbers) for _ in range(VERTICES)) for _ in range(2))
        tile = Tile(components, terrains)
        meeple = next(numbers)
        if self.setup.mode == NO_MEEPLE:  # the field has no meaning then: players leave it zero
            meeple = NO_CONNECTION
        turns = self.deck.kinds[self.dealt].tile.rotations()
        quarters = next((turn for turn, turned in turns if turned.bare() == tile), None)
        return Answer(player, x, y, tile, meeple, quarters)

    def expect_tile(self, answer: Answer) -> Tile:
        """Return the dealt tile as placed; raise AnswerFault if the tile or the player is wrong."""
        if answer.player != self.seat:
            raise wrong(answer, f"this is player {self.seat}")
        dealt = self.deck.kinds[self.dealt]
        if answer.quarters is None:
            different = amiss(answer.tile, dealt.tile)
            raise wrong(
                answer, f"the tile is not a rotation of the dealt tile, {dealt.name}: {different}"
            )
        return dealt.tile.rotated(answer.quarters)

    def expect_meeple(self, answer: Answer) -> None:
        """Raise AnswerFault unless the meeple is on a vertex, or is ``NO_CONNECTION``."""
        if not 0 <= answer.meeple < VERTICES and answer.meeple != NO_CONNECTION:
            raise wrong(
                answer,
                f"its meeple, {answer.meeple}, is not a vertex: vertices are 0 (NW) to 12 "
                f"(CENTER), and no meeple is NO_CONNECTION ({NO_CONNECTION})",
            )


def placed(player: int, x: int, y: int, tile: Tile, meeple: int) -> list[Any]:
    """Return a ``struct move_t``."""
    return [player, x, y, [list(tile.components), list(map(int, tile.terrains))], meeple]


def values(tile: Tile) -> list[int]:
    """Return the numbers of a ``struct tile_t``."""
    return [*tile.components, *map(int, tile.terrains)]


def amiss(tile: Tile, dealt: Tile) -> str:
    """Return the difference of a tile from all rotations of the dealt one, in words."""
    for quarters, turned in dealt.rotations():
        if turned.terrains == tile.terrains:
            return f"turned by {quarters} it has these terrains, but other components"
    return "it has other terrains, however it is turned"


def wrong(answer: Answer, why: str) -> AnswerFault:
    """Return the fault of an answer that is not a legal move, with the reason."""
    return illegal(f"{answer}, but {why}")
