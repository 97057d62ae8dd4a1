"""Carcassonne's C interface: that of the course, for two players.

The deck is told by its kinds, never in the order in which it is dealt; a tile comes with the call
in which it is to be placed.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ludograph.games.carcassonne.country import (
    NO_CONNECTION,
    Cells,
    Country,
    Kinds,
    Placement,
)
from ludograph.games.carcassonne.header import DECLARATIONS, HEADER
from ludograph.games.carcassonne.tiles import TERRAIN_NAMES, VERTEX_NAMES, VERTICES, Tile
from ludograph.games.library import AnswerFault, LibraryGame, LibraryInterface, require

if TYPE_CHECKING:  # the host process has no boards
    from ludograph.games.position import Position

NO_MEEPLE, INFINITE_MEEPLE, FINITE_MEEPLE = MODES = (
    "NO_MEEPLE",
    "INFINITE_MEEPLE",
    "FINITE_MEEPLE",
)


class CarcassonneLibrary(LibraryInterface):
    """How C libraries play Carcassonne."""

    header: ClassVar[str] = HEADER
    declarations: ClassVar[str] = DECLARATIONS
    symbols: ClassVar[tuple[str, ...]] = ("get_player_name", "initialize", "play", "finalize")
    needs: ClassVar[tuple[tuple[str, ...], ...]] = ()
    wants: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("libigraph.so.3", "libigraph.so.4", "libigraph.so.0", "libigraph.so"),
    )

    def check(self, description: Mapping[str, Any]) -> None:
        """Raise InvalidInput unless there are two seats."""
        seats = description["seats"]
        require(
            seats == 2, f"carcassonne: C players need a game with 2 seats, this one has {seats}"
        )

    def board_data(self, position: Position) -> dict[str, Any]:
        """Return how the cells are numbered in the codes of moves."""
        ground = position.setup.ground
        return {"reach": int(ground.reach), "stride": int(ground.stride)}

    def bind(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> LibraryGame:
        """Return the game's side of a loaded library."""
        return CarcassonneLibraryGame(ffi, library, globals_)


class Answer(NamedTuple):
    """What a player answers."""

    player: int
    x: int
    y: int
    tile: Tile
    meeple: int
    quarters: int | None
    """By which the tile dealt is turned to be the answer's, or None if it is another one."""

    def __str__(self) -> str:
        tile = "another tile" if self.quarters is None else f"r{self.quarters}"
        meeple = "NO_CONNECTION" if self.meeple == NO_CONNECTION else str(self.meeple)
        if 0 <= self.meeple < VERTICES:
            meeple = VERTEX_NAMES[self.meeple]
        return f"{{{self.player}, {self.x}, {self.y}, {tile}, {meeple}}}"


class CarcassonneLibraryGame(LibraryGame):
    """One game of Carcassonne with a C library."""

    country: Country

    def __init__(self, ffi: Any, library: Any, globals_: Mapping[str, Any]) -> None:
        super().__init__(ffi, library, globals_)
        self.seat = 0
        self.mode = NO_MEEPLE

    def start(self, board: Mapping[str, Any], description: Mapping[str, Any], seat: int) -> None:
        """Tell the player the first tile, the mode and the deck, which is the player's to free."""
        kinds = Kinds(description["deck"])
        self.seat, self.mode = seat, description["mode"]
        meeples = description["meeples"] if self.mode == FINITE_MEEPLE else 0
        self.country = Country(kinds, Cells(board), meeples)
        config = self.ffi.new("struct gameconfig_t *")
        config.mode, config.meeples = MODES.index(self.mode), meeples
        config.deck = self.deck(kinds)
        self.library.initialize(seat, self.move(self.country.last), config[0])

    def deck(self, kinds: Kinds) -> Any:
        """Return all tiles, kind by kind, behind the first one, in memory of the C allocator."""
        numbers = array("i", values(kinds.first))
        for tile, count in zip(kinds.tiles, kinds.counts, strict=True):
            numbers.extend(array("i", values(tile)) * count)
        size = len(numbers) // (2 * VERTICES)
        deck = self.allocate("struct deck_t")
        deck.deck = self.allocate("struct tile_t", size)
        deck.size = deck.capacity = size
        self.ffi.memmove(deck.deck, numbers, len(numbers) * numbers.itemsize)
        return deck

    def tile(self, tile: Tile) -> Any:
        """Return a tile as C passes it."""
        made = self.ffi.new("struct tile_t *")
        made.t, made.c = tile.components, tile.terrains
        return made[0]

    def move(self, placement: Placement) -> Any:
        """Return a move as C passes it."""
        move = self.ffi.new("struct move_t *")
        move.player_id, move.x, move.y = placement.player, placement.x, placement.y
        move.tile, move.meeple = self.tile(placement.tile), placement.meeple
        return move[0]

    def play(self, moves: list[int]) -> int:
        """Tell the last placement and the tile that is dealt; return the code of the player's."""
        country = self.country
        country.follow(moves)
        assert country.dealt is not None
        dealt = country.kinds.tiles[country.dealt]
        returned = self.library.play(self.move(country.last), self.tile(dealt))
        answer = self.understood(returned, dealt)
        self.expect_tile(answer, dealt)
        assert answer.quarters is not None
        x, y, meeple = answer.x, answer.y, answer.meeple
        tile = dealt.rotated(answer.quarters)
        why = country.why_not(x, y, tile)
        if why:
            raise wrong(answer, why)
        self.expect_meeple(answer)
        country.lay(x, y, tile)
        self.expect_unclaimed(answer)
        country.settle(self.seat, x, y, meeple)
        return country.code(x, y, answer.quarters, meeple)

    def understood(self, returned: Any, dealt: Tile) -> Answer:
        """Return what ``play`` has returned."""
        tile = Tile(tuple(returned.tile.t), tuple(returned.tile.c))
        # Where there are no meeples the field means nothing: players of the course leave it zero.
        meeple = NO_CONNECTION if self.mode == NO_MEEPLE else int(returned.meeple)
        quarters = next((turn for turn, turned in dealt.rotations() if turned == tile), None)
        return Answer(
            int(returned.player_id),
            int(returned.x),
            int(returned.y),
            tile,
            meeple,
            quarters,
        )

    def expect_tile(self, answer: Answer, dealt: Tile) -> None:
        """Raise AnswerFault unless it is this player's placement of the tile that was dealt."""
        if answer.player != self.seat:
            raise wrong(answer, f"this is player {self.seat}")
        if answer.quarters is None:
            assert self.country.dealt is not None
            name = self.country.kinds.names[self.country.dealt]
            raise wrong(
                answer,
                f"the tile is no rotation of the one dealt, {name}: {amiss(answer.tile, dealt)}",
            )

    def expect_meeple(self, answer: Answer) -> None:
        """Raise AnswerFault unless there is such a meeple to put, or none is put."""
        if answer.meeple == NO_CONNECTION:
            return
        if not 0 <= answer.meeple < VERTICES:
            raise wrong(
                answer,
                f"its meeple, {answer.meeple}, is no vertex: those are 0 (NW) to 12 (CENTER), "
                f"and none is NO_CONNECTION ({NO_CONNECTION})",
            )
        if self.mode == FINITE_MEEPLE and not self.country.hands[self.seat]:
            raise wrong(answer, f"player {self.seat} has no meeple left")

    def expect_unclaimed(self, answer: Answer) -> None:
        """Raise AnswerFault if a meeple is put, on the tile just laid, where there is one."""
        if answer.meeple == NO_CONNECTION:
            return
        holders = self.country.holders(answer.x, answer.y, answer.meeple)
        if holders:
            terrain = TERRAIN_NAMES[answer.tile.terrains[answer.meeple]]
            who = " and ".join(f"player {holder}" for holder in holders)
            raise wrong(
                answer, f"the {terrain} at {VERTEX_NAMES[answer.meeple]} holds a meeple of {who}"
            )

    def finish(self) -> None:
        """Tell the player that the game is over."""
        self.library.finalize()


def values(tile: Tile) -> Sequence[int]:
    """Return the numbers of a ``struct tile_t``."""
    return (*tile.components, *tile.terrains)


def amiss(tile: Tile, dealt: Tile) -> str:
    """Return where a tile differs from all rotations of the one dealt."""
    for quarters, turned in dealt.rotations():
        if turned.terrains == tile.terrains:
            return f"turned by {quarters} it has these terrains, but other components"
    return "it has other terrains, however it is turned"


def wrong(answer: Answer, why: str) -> AnswerFault:
    """Return the fault of an answer that is no move of this game."""
    return AnswerFault(f"{answer}, but {why}", illegal=True)


LIBRARY = CarcassonneLibrary()
"""Where the host of a library finds the interface."""
