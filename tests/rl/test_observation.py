"""What learners see is what the positions' own views say, written a second time and slowly."""

import numpy as np
import pytest

from ludograph import make, rules
from ludograph.games import Position
from ludograph.rules import random_state
from ludograph.rules.observer import Observer, sizes_of

STARTS = {
    "hex": {"board": "hexagonal:4"},
    "hex on a town": {"board": 5, "pie": False},
    "flood": {"board": 6, "seats": 3},
    "flood by capture": {"board": 6, "variant": "capture"},
    "penguins": {"seats": 3},
    "amazons": {"board": 6},
    "carcassonne": {"seats": 3},
    "carcassonne without meeples": {"mode": "NO_MEEPLE"},
    "carcassonne by the official rules": {"rules": "official", "seats": 3},
}


def start(title: str, seed: int) -> Position:
    return make(title.split(maxsplit=1)[0], seed=seed, **STARTS[title])


def seen(position: Position, seat: int):
    sizes = sizes_of(position.setup)
    vertices = np.full((sizes.vertices, sizes.vertex_features), np.nan, np.float32)
    game = np.full(sizes.game_features, np.nan, np.float32)
    rules.observe(position.setup, position.state, seat, vertices, game)
    return vertices, game


def touched(position: Position) -> list[tuple[int, list[int]]]:
    """Return the kind of each legal move, and the vertices that it touches."""
    sizes, moves = sizes_of(position.setup), np.array(position.legal_moves(), np.int32)
    kinds, ends = np.full(moves.size, -9, np.int32), np.full(moves.size, -9, np.int32)
    vertices = np.full(sizes.touched, -9, np.int32)
    rules.touch(position.setup, position.state, moves, kinds, ends, vertices)
    begins = [0, *ends[:-1].tolist()]
    return [
        (int(kind), vertices[begin:end].tolist())
        for kind, begin, end in zip(kinds, begins, ends, strict=True)
    ]


def along(title: str, seed: int = 0):
    """Yield the positions of a random game in which a seat is to move."""
    position, rng = start(title, seed), random_state(seed, 3)
    while not position.is_over:
        if not position.is_chance:
            yield position
        position.play_random(rng)


@pytest.mark.parametrize("title", ["hex", "penguins"])
def test_masks_are_those_of_the_legal_moves_whatever_the_arrays_held(title) -> None:
    """A large mask is cleared move by move, not by what a caller left in ``moves``."""
    position, rng = start(title, 1), random_state(1, 3)
    observer = Observer(position.setup, 2)
    assert bool(observer._listed.size) == (title == "penguins")
    while not position.is_over:
        for row in range(2):
            observer.observe(position.setup, position.state[None, :], row)
            codes = position.legal_moves()
            mask = np.zeros(observer.actions, np.int8)
            mask[codes] = 1
            assert (observer.arrays["action_mask"][row] == mask).all()
            moves = observer.arrays["moves"][row]
            assert moves.tolist() == codes + [-1] * (moves.size - len(codes))
            position.play_random(rng)
            if position.is_over:
                break
            observer.arrays["moves"][row, : observer.counts[row]] = 1 << 30


@pytest.mark.slow
@pytest.mark.parametrize("title", ["hex", "hex on a town"])
def test_hex(title) -> None:
    for position in along(title):
        swap = position.may_swap
        for seat in range(2):
            own, other = position.color(seat), position.color(1 - seat)
            vertices, game = seen(position, seat)
            for vertex in range(position.board.n):
                stone = position.stones[vertex]
                assert vertices[vertex, :3].tolist() == [stone == own, stone == other, stone < 0]
                near = position.board.neighbors_of(vertex)
                for color, columns in ((own, (3, 4)), (other, (5, 6))):
                    beside = any(position.borders[each] == color for each in near)
                    free = position.borders[vertex] < 0
                    assert any(vertices[vertex, columns]) == (beside and free)
                touches = int(position.setup.touches[vertex])
                bits = [
                    touches >> 2 * color + side & 1 for color in (own, other) for side in (0, 1)
                ]
                assert vertices[vertex, 3:].tolist() == bits
            assert game[:2].tolist() == [own == 0, swap]
        said = touched(position)
        for move, (kind, cells) in zip(position.legal_moves(), said, strict=True):
            if position.text(move) == "swap":
                assert (kind, cells) == (1, [position.last_vertex])
            else:
                assert (kind, cells) == (0, [move])


@pytest.mark.slow
@pytest.mark.parametrize("title", ["flood", "flood by capture"])
def test_flood(title) -> None:
    captured = 0
    for position in along(title, seed=4):
        colors, seats = position.color_count, position.seats
        for seat in range(seats):
            vertices, game = seen(position, seat)
            for vertex in range(position.board.n):
                row = [0.0] * (colors + seats)
                row[position.colors[vertex]] = 1.0
                owner = position.zones[vertex]
                if owner >= 0:
                    row[colors + (owner - seat) % seats] = 1.0
                assert vertices[vertex].tolist() == row
            shares = [position.zone(each).size / position.board.n for each in range(seats)]
            assert game[::2] == pytest.approx([*shares[seat:], *shares[:seat]])
        turn = position.turn
        assert turn is not None
        for move, (kind, cells) in zip(position.legal_moves(), touched(position), strict=True):
            assert kind == move
            after = position.copy()
            after.play(move)
            gained = set(after.zone(turn).tolist()) - set(position.zone(turn).tolist())
            prey = {
                vertex
                for vertex in cells
                if position.zones[vertex] >= 0 and position.zones[vertex] != turn
            }
            captured += len(prey)
            assert gained <= set(cells) | prey or not cells
            assert set(cells) - prey == {v for v in gained if position.zones[v] < 0}
    assert (captured > 0) == (title == "flood by capture")


@pytest.mark.slow
def test_penguins() -> None:
    for position in along("penguins"):
        seats = position.seats
        for seat in range(seats):
            vertices, game = seen(position, seat)
            for tile in range(position.board.n):
                owner, free = position.owner(tile), position.is_free(tile)
                row = [0.0] * (4 + seats)
                if free or owner is not None:
                    row[position.fish(tile) - 1] = 1.0
                row[3] = float(free)
                if owner is not None:
                    row[4 + (owner - seat) % seats] = 1.0
                assert vertices[tile].tolist() == row
            eaten = [position.scores()[(seat + each) % seats] for each in range(seats)]
            assert game[::2] * position.board.n == pytest.approx(eaten)
        for move, (kind, cells) in zip(position.legal_moves(), touched(position), strict=True):
            text = position.text(move)
            if position.is_placing:
                assert (kind, cells) == (0, [move])
            else:
                assert kind == 1
                assert text == "-".join(map(str, cells))


@pytest.mark.slow
def test_amazons() -> None:
    for position in along("amazons"):
        for seat in range(2):
            vertices, _ = seen(position, seat)
            for tile in range(position.board.n):
                own, other = (tile in position.queens(s) for s in (seat, 1 - seat))
                arrow = tile in position.arrows
                expected = [own, other, arrow, not (own or other or arrow)]
                assert vertices[tile].tolist() == expected
        names = position.game.presentation.cell_names(position)
        for move, (_, cells) in zip(position.legal_moves(), touched(position), strict=True):
            source, target, arrow = (names[cell] for cell in cells)
            assert position.text(move) == f"{source}-{target}/{arrow}"


@pytest.mark.slow
@pytest.mark.parametrize("title", [each for each in STARTS if each.startswith("carcassonne")])
def test_carcassonne(title) -> None:
    for position in along(title):
        tiles = position.tiles
        for seat in range(position.seats):
            vertices, game = seen(position, seat)
            for number, tile in enumerate(tiles):
                assert vertices[number, :4].tolist() == [1, 0, tile.x, tile.y]
            assert not vertices[len(tiles) : position.setup.tiles].any()
            points = position.scores()
            own = [points[(seat + each) % position.seats] for each in range(position.seats)]
            assert game[5 : 5 + 2 * position.seats : 2].tolist() == own
        rows, _ = seen(position, position.turn)
        for move, (kind, (row,)) in zip(position.legal_moves(), touched(position), strict=True):
            placement = position.placement(move)
            assert rows[row, :4].tolist() == [0, 1, placement.x, placement.y]
            vertex = 13 if placement.vertex is None else placement.vertex
            assert kind == 14 * placement.quarters + vertex
            # What the place needs of a tile, the tile dealt has when it lies so.
            turned = np.roll(seen(position, 0)[1][:4], placement.quarters)
            needed = rows[row, 4:8]
            assert needed.any()
            if placement.quarters == 0:
                assert (needed[needed > 0] == turned[needed > 0]).all()


def marks_of(tile):
    """Return for each side whether its castle bears a shield, and whether there is a monastery."""
    shielded = {tile.components[vertex] for vertex in tile.shields}
    sides = [tile.components[3 * side + 1] in shielded for side in range(4)]
    return [*sides, tile.monastery]


@pytest.mark.slow
def test_shields_and_monasteries_are_seen_by_the_official_rules() -> None:
    marked = 0
    for position in along("carcassonne by the official rules"):
        vertices, game = seen(position, 0)
        for row, placed in zip(vertices, position.tiles, strict=False):
            assert row[10:].tolist() == marks_of(placed.tile)
            marked += any(marks_of(placed.tile))
        assert not vertices[len(position.tiles) :, 10:].any()
        dealt = position.dealt
        assert game[-5:].tolist() == (marks_of(dealt.tile) if dealt else [0] * 5)
    assert marked > 10
    assert seen(start("carcassonne", 1), 0)[0].shape[1] == 10  # the course's tiles have none


@pytest.mark.slow
@pytest.mark.parametrize("title", STARTS)
def test_plain_python_sees_the_same(title) -> None:
    for ply, position in enumerate(along(title)):
        if ply % 5 == 0:
            fast = seen(position, 1), touched(position)
            with rules.interpreted():
                slow = seen(position, 1), touched(position)
            for one, other in zip(fast[0], slow[0], strict=True):
                assert np.array_equal(one, other)
            assert fast[1] == slow[1]
