"""Tilings whose tiles have an even number of sides: numbers, sides, straight lines, patches."""

import itertools
from collections import Counter

import numpy as np
import pytest

from ludograph import boards
from ludograph.boards.patch import periodic
from ludograph.errors import InvalidInput

NAMES = ("full-hexa", "octo-tetra", "dodeca-hexa-tetra", "penrose")
PATCHES = ("cairo", "dodeca-hexa-tetra", "penrose")
SIZES = [(2, 2), (5, 2), (2, 7), (8, 7), (7, 8), (13, 13), (40, 2)]
GOLDEN = (1 + 5**0.5) / 2


@pytest.fixture(scope="module", params=[(name, *size) for name in NAMES for size in SIZES], ids=str)
def board(request):
    name, *size = request.param
    return boards.family(name)(*size)


def slots(board):
    return [(v, side) for v in range(board.n) for side in range(board.sides.count(v))]


def beyond(board, v, side):
    """The tile beyond a side and the number that it gives to that side."""
    slot = board.sides.offsets[v] + side
    return int(board.sides.neighbors[slot]), int(board.sides.entries[slot])


def ends(board, v, side):
    """Where a side begins and ends."""
    outline = board.outline_of(v)
    return outline[side], outline[(side + 1) % len(outline)]


def corners(board):
    """The tiles around every corner."""
    around: dict[tuple[float, float], list[int]] = {}
    for v in range(board.n):
        for point in board.outline_of(v).tolist():
            around.setdefault(tuple(point), []).append(v)
    return around


def angles(outline):
    """The angle at each corner, in degrees."""
    before, after = np.roll(outline, 1, axis=0) - outline, np.roll(outline, -1, axis=0) - outline
    cosines = (before * after).sum(axis=1) / np.hypot(*before.T) / np.hypot(*after.T)
    return np.rint(np.degrees(np.arccos(cosines))).astype(int).tolist()


def test_sides(board) -> None:
    width, height = map(int, board.name.split()[1].split("x"))
    assert board.n == width * height
    for v, side in slots(board):
        (ax, ay), (bx, by) = ends(board, v, side)
        near, entry = beyond(board, v, side)
        if near != boards.OUTSIDE:  # the same two corners, to the last bit
            assert np.array_equal(ends(board, near, entry)[::-1], [(ax, ay), (bx, by)])
            assert near in board.neighbors_of(v)
        x, y = board.positions[v]
        assert (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0  # clockwise on a screen
    for v in range(board.n):
        steps = [np.subtract(*ends(board, v, side)[::-1]) for side in range(board.sides.count(v))]
        look = np.array([np.arctan2(y, x) % (2 * np.pi) for x, y in steps])  # 0: to the north
        look[look > 2 * np.pi - 1e-9] = 0
        assert (np.diff(look) > 0).all()
        half = len(look) // 2
        assert np.allclose(look[half:] - look[:half], np.pi)  # opposite sides are parallel
    assert sorted({len(board.outline_of(v)) % 2 for v in range(board.n)}) == [0]
    level, x = board.positions[:, 1].round(5), board.positions[:, 0]
    assert np.array_equal(np.lexsort((x, level)), np.arange(board.n))  # numbered row by row


def test_straight_lines_reversed_give_themselves(board) -> None:
    for v, side in slots(board):
        line = board.line(v, side)
        at, entry = v, side
        for near in line:
            leave = (
                side if at == v else (entry + board.sides.count(at) // 2) % board.sides.count(at)
            )
            at, entry = beyond(board, at, leave)
            assert at == near
        if line:
            assert board.line(at, entry)[: len(line)] == [*reversed(line[:-1]), v]
        if "penrose" in board.name:  # it crosses parallel sides
            begin, end = ends(board, v, side)
            here, there = end - begin, np.subtract(*ends(board, at, entry))
            assert not line or abs(here[0] * there[1] - here[1] * there[0]) < 1e-9
        else:
            steps = np.diff(board.positions[[v, *line]], axis=0)
            assert np.allclose(steps[:, 0] * steps[:1, 1], steps[:, 1] * steps[:1, 0])


def test_boards_are_disks(board) -> None:
    border = [ends(board, *s) for s in slots(board) if beyond(board, *s)[0] == boards.OUTSIDE]
    following = {tuple(begin): tuple(end) for begin, end in border}
    assert len(following) == len(border)  # no corner lies on the border twice,
    first = at = next(iter(following))
    length = 1
    while following[at] != first:
        at = following[at]
        length += 1
    assert length == len(border)  # and the border is one loop
    edges = board.edge_count + len(border)
    assert len(corners(board)) - edges + board.n == 1


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_page_says_where_octagons_are(width: int, height: int) -> None:
    board = boards.octo_tetra(width, height)
    for v in range(board.n):
        row, column = divmod(v, width)
        octagon = (row + column) % 2 == 0
        assert board.sides.count(v) == (8 if octagon else 4)
        assert board.positions[v] == pytest.approx([column, row])
        around = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
        for side, (down, right) in enumerate(around if octagon else around[::2]):
            r, c = row + down, column + right
            there = r * width + c if 0 <= r < height and 0 <= c < width else boards.OUTSIDE
            assert beyond(board, v, side)[0] == there


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_hexagons_stand_in_columns(width: int, height: int) -> None:
    board = boards.full_hexa(width, height)
    at = {tuple(place): v for v, place in enumerate(board.positions.round(6).tolist())}
    for v, (x, y) in enumerate(board.positions):
        for side in range(6):
            angle = np.deg2rad(60 * side)
            place = (x + np.sin(angle), y - np.cos(angle))
            there = at.get(tuple(round(float(z), 6) for z in place), boards.OUTSIDE)
            assert beyond(board, v, side)[0] == there
    columns = Counter(board.positions[:, 0].round(6).tolist())
    assert sorted(columns.values()) == [height] * width


def test_the_numbers_of_hexagons_are_the_source_s() -> None:
    width = 7
    board = boards.full_hexa(width, 5)
    for v in range(2 * width, 3 * width):
        steps = {near - v for near in board.neighbors_of(v).tolist()}
        assert steps <= {-width, -4, -3, 3, 4, width}


def test_kinds_of_tiles() -> None:
    board = boards.dodeca_hexa_tetra(60)
    counts = Counter(board.sides.count(v) for v in range(board.n))
    assert set(counts) == {4, 6, 12}
    assert counts[12] == pytest.approx(board.n / 6, rel=0.06)
    assert counts[6] == pytest.approx(board.n / 3, rel=0.06)
    for tiles in corners(board).values():
        kinds = sorted(board.sides.count(v) for v in tiles)
        assert set(Counter(kinds).values()) == {1}  # one of each kind at a corner,
    inner = [tiles for tiles in corners(board).values() if len(tiles) == 3]
    assert len(inner) > board.n  # and nearly all corners are inside


def test_penrose_has_two_rhombs_in_the_golden_ratio() -> None:
    board = boards.penrose(60)
    kinds = Counter(tuple(sorted(angles(board.outline_of(v)))) for v in range(board.n))
    assert set(kinds) == {(72, 72, 108, 108), (36, 36, 144, 144)}
    ratio = kinds[72, 72, 108, 108] / kinds[36, 36, 144, 144]
    assert ratio == pytest.approx(GOLDEN, rel=0.02)
    lengths = [np.hypot(*(b - a)) for a, b in (ends(board, *slot) for slot in slots(board))]
    assert max(lengths) - min(lengths) < 1e-9


def test_penrose_corners_obey_the_matching_rules() -> None:
    """De Bruijn's eight stars of rhombs around a corner; two of them are five wide rhombs."""
    board = boards.penrose(50)
    around: dict[tuple[float, float], list[tuple[float, int]]] = {}
    for v in range(board.n):
        outline = board.outline_of(v)
        for point, angle in zip(outline.tolist(), angles(outline), strict=True):
            x, y = board.positions[v] - point
            around.setdefault(tuple(point), []).append((float(np.arctan2(y, x)), angle))
    stars = set()
    for star in around.values():
        turn = [angle for _, angle in sorted(star)]
        if sum(turn) == 360:
            turns = [turn[k:] + turn[:k] for k in range(len(turn))]
            stars.add(min(tuple(t) for one in turns for t in (one, one[::-1])))
    assert stars == {
        (72, 72, 72, 72, 72),  # S and S5
        (36, 36, 72, 36, 36, 72, 72),  # S3
        (36, 36, 72, 72, 72, 72),  # S4
        (72, 72, 72, 144),  # K
        (36, 72, 36, 108, 108),  # J
        (72, 144, 144),  # Q
        (108, 108, 144),  # D
    }


@pytest.mark.parametrize("name", PATCHES)
def test_patches_have_the_shape_asked_for(name: str) -> None:
    for width, height in ((20, 10), (10, 20), (40, 5)):
        low, high = (f(boards.family(name)(width, height).positions, 0) for f in (np.min, np.max))
        assert high - low == pytest.approx([width, height], abs=3.5)


@pytest.mark.parametrize("name", NAMES)
def test_files_keep_everything(name: str, tmp_path) -> None:
    board = boards.family(name)(6)
    boards.save(board, tmp_path / "board.json")
    again = boards.load(tmp_path / "board.json")
    assert boards.to_data(again) == boards.to_data(board)
    assert again.line(0, 2) == board.line(0, 2)


@pytest.mark.parametrize("name", NAMES)
def test_bad_sizes_get_one_sentence(name: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{name}: .*\bwidth\b.* 1$"):
        boards.family(name)(1)
    with pytest.raises(InvalidInput, match=f"^{name}: 9999x9999 "):
        boards.family(name)(9999)


def test_all_pairs_of_tiles_touch_where_they_share_two_corners() -> None:
    for name, size in itertools.product(NAMES, SIZES[:4]):
        board = boards.family(name)(*size)
        points = [set(map(tuple, board.outline_of(v).tolist())) for v in range(board.n)]
        for u, v in itertools.combinations(range(board.n), 2):
            assert (len(points[u] & points[v]) == 2) == (v in board.neighbors_of(u))


@pytest.mark.slow
@pytest.mark.parametrize("name", PATCHES)
def test_a_long_and_thin_patch_costs_no_more_than_its_tiles(name: str) -> None:
    assert boards.family(name)(2, 10_000).n == 20_000


def test_a_tiling_whose_tiles_share_no_points_is_refused() -> None:
    """Each square has its own four points here, though its neighbors have equal ones."""
    points = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    square = np.array([[[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 0, 3]]])
    with pytest.raises(ValueError, match="the tiles do not join"):
        periodic(np.eye(2), points, [square], 3, 3)
