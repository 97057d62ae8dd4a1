"""The slow references of all games, driven by the codes of moves like the fast rules."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any

from ludograph.games import Position
from ludograph.games.carcassonne.position import tile_records
from ludograph.games.carcassonne.table import (
    CLAIMS,
    CLAIMS_OF,
    CLOSED,
    FIRST_NODE,
    PARENT,
    ROOT,
    SIZE,
    look_up,
)
from ludograph.games.carcassonne.tiles import CENTER
from ludograph.games.flood import rules as flooding
from ludograph.games.flood.setup import forbidden_sets, vertex_colors
from ludograph.games.penguins.notation import slides
from ludograph.games.penguins.rules import GONE, REACH, SEAT_SLOTS, SEATS, UNPLACED, WAITING
from tests.games.amazons.boards import lines_of
from tests.games.penguins.boards import around
from tests.reference.amazons import ReferenceAmazons
from tests.reference.carcassonne import ReferenceCarcassonne
from tests.reference.carcassonne_official import ReferenceOfficial
from tests.reference.flood import PASS, ReferenceFlood
from tests.reference.hex import SWAP, ReferenceHex
from tests.reference.penguins import ReferencePenguins


def neighbors_of(board):
    return [board.neighbors_of(v).tolist() for v in range(board.n)]


class Twin:
    """A game of a reference, begun as a position of the fast rules.

    Attributes
    ----------
    game
        The reference.
    dropped
        The seats that were eliminated.
    """

    def __init__(self, position: Position) -> None:
        self.start = position.copy()
        self.game = self.begin(position)
        self.dropped: set[int] = set()

    def begin(self, position: Position) -> Any:
        """Return the reference at the start of the same game."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def turn(self) -> int | None:
        """The seat to move; None at the end and where chance is to move."""
        return self.game.turn

    def scores(self) -> list[float]:
        return self.game.scores()

    def code(self, move: Any) -> int:
        """Return the code of a move of the reference."""
        return move

    def move(self, code: int) -> Any:
        """Return the move of the reference with a code."""
        return code

    def moves(self) -> list[int]:
        """Return the codes of the legal moves."""
        return [self.code(move) for move in self.game.legal_moves()]

    def play(self, code: int) -> None:
        self.game.play(self.move(code))

    def drop(self, seat: int) -> None:
        self.game.drop(seat)
        self.dropped.add(seat)

    def after(self, code: int) -> Twin:
        twin = copy.copy(self)
        twin.game = copy.deepcopy(self.game)
        twin.play(code)
        return twin

    def key(self) -> Any:
        """Return a value that twins have only if all that follows is equal."""
        return id(self)

    def told(self) -> dict[str, Any]:
        """Return what else the reference says of the game."""
        return {}

    def seen(self, position: Position) -> dict[str, Any]:
        """Return what a position says of the same, and maybe more."""
        return {}


class FloodTwin(Twin):
    def begin(self, position):
        setup = position.setup
        return ReferenceFlood(
            neighbors_of(position.board),
            vertex_colors(setup).tolist(),
            setup.start_vertices.tolist(),
            forbidden_sets(setup),
            "capture" if setup.capture else "standard",
        )

    def code(self, move):
        return self.start.setup.color_count if move is PASS else move

    def move(self, code):
        return PASS if code == self.start.setup.color_count else code

    def scores(self):
        """Return the scores; of a dropped seat already before the end, as the fast rules do."""
        scores = enumerate(self.game.scores())
        return [-1.0 if seat in self.game.dropped else score for seat, score in scores]

    def told(self):
        slow = self.game
        told = {"ply": slow.ply, "colors": slow.colors}
        if slow.captured:  # there the prey's zone is the captor's to the reference
            return told
        held = [slow.zone(seat) for seat in slow.seats]
        owners = [
            next((seat for seat in slow.seats if v in held[seat]), -1)
            for v in range(len(slow.colors))
        ]
        colors = [slow.colors[start] for start in slow.starts]
        sizes = list(map(len, held))
        return told | {"zones": held, "owners": owners, "of zones": colors, "sizes": sizes}

    def seen(self, position):
        seats = range(position.seats)
        return {
            "ply": position.ply,
            "colors": position.colors.tolist(),
            "zones": [set(position.zone(seat).tolist()) for seat in seats],
            "owners": position.zones.tolist(),
            "of zones": [position.color_of_zone(seat) for seat in seats],
            "sizes": [position.state[flooding.zone_at(seat) + flooding.SIZE] for seat in seats],
        }


class HexTwin(Twin):
    def begin(self, position):
        marks = position.board.marks
        black, white = (marks[color].tolist() for color in ("black", "white"))
        return ReferenceHex(neighbors_of(position.board), black, white, swap=position.pie)

    def code(self, move):
        return self.start.swap if move == SWAP else move

    def move(self, code):
        return SWAP if code == self.start.swap else code

    def key(self):
        return (self.game.ply, self.game.swapped, *self.game.owner)

    def told(self):
        slow = self.game
        colors = None if slow.over else [slow.color_of(0), slow.color_of(1)]
        return {"stones": slow.owner, "winner": slow.winner(), "colors": colors}

    def seen(self, position):
        colors = None if position.is_over else [position.color(0), position.color(1)]
        return {"stones": position.stones.tolist(), "winner": position.winner, "colors": colors}


class PenguinsTwin(Twin):
    def begin(self, position):
        setup = position.setup
        return ReferencePenguins(
            around(position.board), setup.fish.tolist(), setup.seats, setup.penguins
        )

    @cached_property
    def codes(self):
        """The codes of all moves on the empty board."""
        setup = self.start.setup
        tiles = range(self.start.board.n)
        return {(v, target): code for v in tiles for code, target in slides(setup, v)}

    def code(self, move):
        return self.codes[move] if isinstance(move, tuple) else move

    def move(self, code):
        path = self.start.path(code)
        return (path[0], path[-1]) if len(path) > 1 else path[0]

    def told(self):
        slow, tiles = self.game, range(self.start.board.n)
        return {
            "ply": slow.ply,
            "owners": [slow.standing.get(tile) for tile in tiles],
            "melted": sorted(slow.melted),
            "free": [tile for tile in tiles if slow.is_free(tile)],
            "penguins": [slow.tiles_of(seat) for seat in range(slow.seats)],
            "unplaced": [slow.penguins - len(slow.tiles_of(seat)) for seat in range(slow.seats)],
            "placing": slow.is_placing(),
            "fish": [0 if tile in slow.melted else slow.fish[tile] for tile in tiles],
            "all owners": [slow.standing.get(tile, -1) for tile in tiles],
            "eaten": [
                slow.collected[seat] + sum(slow.fish[v] for v in slow.tiles_of(seat))
                for seat in range(slow.seats)
            ],
            "dropped": slow.dropped,
            "out": slow.out(),
        }

    def seen(self, position):
        tiles, seats = range(position.board.n), range(position.seats)
        slots = position.state[SEATS : SEATS + SEAT_SLOTS * position.seats].reshape(-1, SEAT_SLOTS)
        able = slots[:, WAITING if position.state[UNPLACED] else REACH] * (1 - slots[:, GONE])
        return {
            "ply": position.ply,
            "owners": [position.owner(tile) for tile in tiles],
            "melted": [tile for tile in tiles if not position.fish(tile)],
            "free": [tile for tile in tiles if position.is_free(tile)],
            "penguins": [sorted(position.penguins(seat)) for seat in seats],
            "unplaced": [position.unplaced(seat) for seat in seats],
            "placing": position.is_placing,
            "fish": position.all_fish.tolist(),
            "all owners": position.all_owners.tolist(),
            "eaten": [position.eaten(seat) for seat in seats],
            "dropped": {seat for seat in seats if position.is_eliminated(seat)},
            "out": {seat for seat in seats if not able[seat]},
        }


class AmazonsTwin(Twin):
    def begin(self, position):
        starts = position.setup.starts.tolist()
        return ReferenceAmazons(lines_of(position.board), [set(starts[0::2]), set(starts[1::2])])

    @property
    def over(self):
        return self.game.winner is not None

    @property
    def turn(self):
        return None if self.over else self.game.turn

    def scores(self):
        winner = self.game.winner
        return [0.5 if winner is None else float(winner == seat) for seat in range(2)]

    def code(self, move):
        source, target, arrow = move
        return (source * self.start.board.n + target) * self.start.board.n + arrow

    def move(self, code):
        n = self.start.board.n
        return code // n**2, code // n % n, code % n

    def told(self):
        return {"arrows": self.game.arrows, "queens": self.game.queens}

    def seen(self, position):
        queens = [set(position.queens(seat)) for seat in range(2)]
        return {"arrows": set(position.arrows), "queens": queens}


class CarcassonneTwin(Twin):
    def begin(self, position):
        setup, deck = position.setup, position.deck
        return ReferenceCarcassonne(
            (deck.first.components, deck.first.terrains),
            [(kind.tile.components, kind.tile.terrains) for kind in deck.kinds],
            [kind.count for kind in deck.kinds],
            seats=setup.seats,
            mode=setup.mode,
            meeples=setup.meeples,
            discard=bool(setup.discard),
        )

    @property
    def turn(self):
        return None if self.game.dealt is None else self.game.turn

    def code(self, move):
        x, y, quarters, meeple = move
        return self.start.parse(f"{x},{y} r{quarters}" + ("" if meeple is None else f" m{meeple}"))

    def moves(self):
        if self.game.dealt is None and not self.over:  # a tile is due
            return [kind for kind, left in enumerate(self.game.left) if left]
        return super().moves()

    def play(self, code):
        if self.game.dealt is None:
            self.game.deal(code)
        else:
            self.game.play(*self.start.placement(code))

    def told(self):
        slow = self.game
        return {
            "tiles": {
                cell: (list(tile[0]), list(tile[1])) for cell, tile in slow.world.tiles.items()
            },
            "components": slow.components(),
            "meeples": slow.supply,
            "standing": sorted(slow.meeples.values()),
            "left": slow.left,
            "eliminated": set(slow.eliminated),
            "dealt": slow.dealt,
        }

    def seen(self, position):
        seats = range(position.seats)
        unlimited = position.mode == "INFINITE_MEEPLE"
        held = [float("inf") if unlimited else position.meeples(seat) for seat in seats]
        assert not unlimited or {position.meeples(seat) for seat in seats} == {None}
        standing = [placed.meeple[0] for placed in position.tiles if placed.meeple is not None]
        dealt = position.dealt
        return {
            "tiles": laid(position),
            "components": components(position),
            "meeples": held,
            "standing": sorted(standing),
            "left": list(position.remaining.values()),
            "eliminated": {seat for seat in seats if position.is_eliminated(seat)},
            "dealt": None if dealt is None else position.deck.kinds.index(dealt),
        }


def laid(position) -> dict:
    """Return the tiles on the table by their cells, as the reference has them."""
    return {
        (placed.x, placed.y): (list(placed.tile.components), list(map(int, placed.tile.terrains)))
        for placed in position.tiles
    }


def components(position) -> list:
    """Return all components as the reference describes them."""
    setup, state = position.setup, position.state
    shown = {}
    tiles = laid(position).values()
    for record, (numbers, terrains) in zip(tile_records(setup, state), tiles, strict=True):
        for index, number in enumerate(dict.fromkeys(numbers)):
            node = int(record[FIRST_NODE]) + index * setup.layout.width
            root = int(look_up(state, node))
            meeples = (0,) * setup.seats
            if setup.mode:
                meeples = tuple(state[root + CLAIMS_OF : root + CLAIMS_OF + setup.seats].tolist())
                assert sum(meeples) == state[root + CLAIMS]
            assert state[root + PARENT] == CLOSED or state[root + PARENT] < ROOT
            closed = bool(state[root + PARENT] == CLOSED)
            terrain = terrains[numbers.index(number)]
            same = (terrain, int(state[root + SIZE]), closed, meeples)
            assert shown.setdefault(root, same) == same
    return sorted(shown.values())


class OfficialTwin(CarcassonneTwin):
    def begin(self, position):
        setup, deck = position.setup, position.deck
        tiles = [deck.first, *(kind.tile for kind in deck.kinds)]
        plain = [(tile.components, tile.terrains) for tile in tiles]
        return ReferenceOfficial(
            plain[0],
            plain[1:],
            [kind.count for kind in deck.kinds],
            shields=[tile.shields for tile in tiles],
            monasteries=[tile.monastery for tile in tiles],
            seats=setup.seats,
            meeples=setup.meeples,
        )

    def told(self):
        slow = self.game
        monks = {(x, y, CENTER): seat for (x, y), seat in slow.monks.items()}
        return {
            "points": slow.tally,
            "at end": slow.at_end,
            "meeples": slow.supply,
            "stand": slow.meeples | monks,
            "left": slow.left,
            "dealt": slow.dealt,
        }

    def seen(self, position):
        seats, dealt = range(position.seats), position.dealt
        return {
            "points": [position.points_for(seat) for seat in seats],
            "at end": [position.points_at_end(seat) for seat in seats],
            "meeples": [position.meeples(seat) for seat in seats],
            "stand": {
                (placed.x, placed.y, placed.meeple[1]): placed.meeple[0]
                for placed in position.tiles
                if placed.meeple is not None
            },
            "left": list(position.remaining.values()),
            "dealt": None if dealt is None else position.deck.kinds.index(dealt),
        }


TWINS = {
    "amazons": AmazonsTwin,
    "carcassonne": CarcassonneTwin,
    "flood": FloodTwin,
    "hex": HexTwin,
    "penguins": PenguinsTwin,
}


def twin(position: Position) -> Twin:
    """Return the reference at the start of the same game."""
    if getattr(position, "rules", "") == "official":
        return OfficialTwin(position)
    return TWINS[position.game.name](position)
