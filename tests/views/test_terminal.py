import os
import re
from dataclasses import replace

import numpy as np
import pytest

from ludograph.views import colors, plain, terminal
from ludograph.views.ansi import Colors
from ludograph.views.raster import rasterize
from ludograph.views.scene import Numeral, Sketch, Stroke, Swatch
from tests.views.build import HEXAGON, SQUARE, hexagons, scene, squares
from tests.views.screen import read


def draw(whole, width=80, height=40, **more):
    """Draw a scene whose colors have no symbols."""
    whole = replace(whole, palette=tuple(replace(each, symbol=".") for each in whole.palette))
    return terminal.render(whole, width=width, height=height, color=Colors.TRUE, **more)


def color(whole, cell):
    return colors.parse(whole.palette[whole.fills[cell]].rgb)


def test_a_square_is_two_characters_wide_and_one_high():
    board = squares(20, 20)
    screen = read(draw(board, 40, 20))
    assert len(screen.pixels) == 40
    for cell in range(board.size):
        y, x = divmod(cell, 20)
        seen = {screen.pixels[2 * y + j][2 * x + i] for i in (0, 1) for j in (0, 1)}
        assert seen == {color(board, cell)}


@pytest.mark.parametrize(
    ("window", "side"), [((80, 10), 4), ((80, 23), 8), ((20, 40), 4), ((300, 90), 12)]
)
def test_cells_grow_with_the_window_in_whole_lines(window, side):
    lines = read(draw(squares(5, 5), *window)).pixels
    assert [len(line) for line in lines] == [5 * side] * (5 * side)


@pytest.mark.parametrize("build", [squares, hexagons])
def test_a_larger_window_never_shows_smaller_cells(build):
    board = build(8, 8)
    sizes = [rasterize(board, 20 + 10 * k, 16 + 8 * k).pixels_per_side for k in range(14)]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 4 * sizes[0]


def test_where_cells_are_small_a_label_is_on_the_color_of_its_cell():
    board = squares(32, 32, labels={66: "A"})
    screen = read(draw(board, 32, 16))
    row, column = 1, 2
    assert screen.pixels[2 * row][column] == screen.pixels[2 * row + 1][column] == color(board, 66)


def test_large_cells_that_are_part_of_something_larger_have_no_shadow():
    board = squares(2, 2, [0] * 4)
    seen = {pixel for line in read(draw(board)).pixels for pixel in line}
    assert len(seen) == 2
    whole = replace(board, sketches=(Sketch(()),))
    assert {pixel for line in read(draw(whole)).pixels for pixel in line} == {color(board, 0)}


def test_cells_are_told_apart_by_letters():
    board = squares(2, 2, [0, 1, 0, 1])
    palette = (Swatch("field", "#afd787", "."), Swatch("road", "#eeeeee", "r"))
    for sketches in ((), (Sketch(()),)):
        tile = replace(board, palette=palette, sketches=sketches)
        drawn = read(terminal.render(tile, width=8, height=4, color=Colors.TRUE))
        assert list(drawn.letters.values()) == ["r", "r"]


def test_of_tiles_that_do_not_fit_those_at_the_last_move_are_shown():
    board = squares(40, 40, np.arange(1600) == 900, strokes=(Stroke((1599,), "#ff0000"),))
    palette = (Swatch("field", "#afd787", "."), Swatch("road", "#eeeeee", "r"))
    tiles = replace(board, palette=palette, sketches=(Sketch(()),))
    for cell, letters in ((1599, {"●"}), (0, {"●"}), (860, {"●", "r"})):
        last = replace(tiles, strokes=(Stroke((cell,), "#ff0000"),))
        drawn = read(terminal.render(last, width=20, height=10, color=Colors.TRUE))
        assert set(drawn.letters.values()) == letters
        assert (len(drawn.pixels), len(drawn.pixels[0])) == (20, 20)


@pytest.mark.parametrize("build", [squares, hexagons])
@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (14, 14), (9, 21), (30, 17)])
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
def test_the_center_of_every_cell_shows_its_color(build, rows, columns, size):
    board = build(rows, columns, np.random.default_rng(4).integers(0, 6, rows * columns))
    screen = read(draw(board, *size))
    centers = rasterize(board, size[0], 2 * size[1]).centers
    assert len({tuple(center) for center in centers.tolist()}) == board.size
    for cell, (x, y) in enumerate(centers.tolist()):
        shown = np.array(screen.pixels[y][x])
        # The lower right pixel of a large cell lies in the shadow of its edge.
        full = np.array(color(board, cell))
        shaded = np.array(colors.blend(color(board, cell), colors.DARK, 0.22))
        assert (shown == full).all() or (shown == shaded).all()


@pytest.mark.parametrize("build", [squares, hexagons])
@pytest.mark.parametrize("size", [(1, 1), (7, 3), (20, 10), (33, 40), (80, 24)])
@pytest.mark.parametrize("sides", [(1, 1), (3, 40), (40, 3), (50, 50), (200, 200)])
def test_a_picture_fits(build, size, sides):
    screen = read(draw(build(*sides), *size))
    assert len(screen.pixels) <= 2 * size[1]
    assert max(len(line) for line in screen.pixels) <= size[0]


def test_a_shrunk_board_has_no_gaps():
    for line in read(draw(squares(200, 200), 50, 20)).pixels:
        assert None not in line


def test_hexagons_of_one_board_look_alike():
    board = hexagons(6, 6)
    raster = rasterize(board, 100, 100)
    assert raster.pixels_per_side > 3
    forms = set()
    for cell in range(board.size):
        rows, columns = np.nonzero(raster.cells == cell)
        form = np.stack((rows - rows.min(), columns - columns.min()))
        forms.add(form.tobytes())
    assert len(forms) == 1


def test_holes_show_the_terminal_itself():
    screen = read(draw(squares(1, 3, [0, -1, 1]), 12, 2))
    assert screen.pixels[0][4:8] == [None] * 4
    assert draw(squares(2, 2, [-1] * 4)) == ""


def test_text_surrounds_the_board():
    lines = draw(squares(2, 2, title="Ann plays", captions=("two", "three"))).split("\n")
    assert (lines[0], lines[-2], lines[-1]) == ("Ann plays", "two", "three")


def test_names_cannot_command_the_terminal():
    evil = "\x1b[2J\x07\u202eAnn\n\x9b31m"
    board = squares(2, 2, title=evil, captions=(evil,), labels={0: "\x1b]"})
    picture = draw(board)
    read(picture)
    assert not set("\x07\x9b\u202e") & set(picture)
    assert "\x1b" not in terminal.render(board, color=False, width=80, height=24)


def test_labels_stand_on_their_cells():
    screen = read(draw(squares(20, 20, labels={0: "1", 21: "ab"}), 40, 20))
    assert screen.letters == {(0, 0): "1", (1, 2): "a", (1, 3): "b"}


def test_wide_letters_do_not_shift_the_board():
    assert read(draw(squares(20, 20, labels={0: "漢"}))).letters == {}


def test_each_group_has_its_sign():
    groups = np.full(400, -1)
    groups[[0, 1]], groups[399] = 0, 1
    screen = read(draw(squares(20, 20, groups=groups), 40, 20))
    assert screen.letters == {(0, 0): "·", (0, 2): "·", (19, 38): "×"}


def test_groups_stay_bright_where_cells_are_too_small_for_signs():
    board = squares(20, 20, np.zeros(400), groups=[0] * 200 + [-1] * 200)
    screen = read(draw(board, 20, 10))
    assert screen.letters == {}
    assert set(screen.pixels[0]) == {color(board, 0)}
    assert sum(screen.pixels[-1][0]) < sum(color(board, 0))


def test_links_and_strokes_cross_the_space_between_cells():
    corners = 0.3 * np.array(SQUARE)
    positions = [(0, 0), (10, 0), (10, 10)]
    graph = scene(positions, corners, [0, 1, 2], links=[(0, 1), (1, 2)])
    bare = scene(positions, corners, [0, 1, 2])

    def drawn(whole):
        return sum(pixel is not None for line in read(draw(whole)).pixels for pixel in line)

    assert drawn(graph) > drawn(bare) + 10
    marked = scene(positions, corners, [0, 1, 2], strokes=(Stroke((0, 1, 2), "#ff0000"),))
    assert any((255, 0, 0) in line for line in read(draw(marked)).pixels)


def test_256_colors_are_indices():
    board = squares(3, 3)
    screen = read(terminal.render(board, width=80, height=24, color=Colors.INDEXED))
    assert all(16 <= pixel <= 255 for line in screen.pixels for pixel in line)


def test_without_colors_the_board_is_plain_text():
    board = hexagons(3, 3, title="Ann", captions=("Bob",))
    expected = f"Ann\n{plain.text(board)}\nBob"
    assert terminal.render(board, color=False) == expected
    assert terminal.render(board, color=Colors.NONE) == expected


def test_the_size_of_the_terminal_is_the_default(monkeypatch):
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((30, 11)))
    lines = terminal.render(squares(40, 40), color=Colors.TRUE).split("\n")
    assert len(lines) == 10


def test_a_board_without_cells_is_only_text():
    assert draw(scene([], HEXAGON, [], title="Nothing")) == "Nothing"


def test_a_label_takes_the_color_of_its_group_where_it_can_be_read():
    board = squares(20, 20, np.zeros(400), groups=[0, 1] * 200, group_colors=("#ffffff", "#237cf0"))
    labelled = replace(board, labels={0: "1", 1: "2"})
    first = draw(labelled, 40, 20).split("\n")[0]
    assert re.search("38;2;255;255;255[^m]*m1", first)
    # The second group has the color of the cells: any readable ink will do.
    assert not re.search("38;2;35;124;240[^m]*m2", first)


def test_equal_neighbors_are_told_apart_on_a_large_board():
    screen = read(draw(squares(1, 2, [0, 0])))
    assert len(set(screen.pixels[0])) == 2
    assert len(set(read(draw(squares(1, 2, [0, 1]))).pixels[0])) == 2


def written(screen, row):
    """Return what stands in a line, by its first column."""
    columns = sorted(column for line, column in screen.letters if line == row)
    return "".join(screen.letters[row, column] for column in columns)


def test_numbers_of_moves_are_whole_where_there_is_room_else_their_last_two_digits():
    board = squares(3, 3, numerals={4: Numeral(107, "#ffffff"), 8: Numeral(9, "#ffffff")})
    large = read(draw(board, 12, 6))
    assert {written(large, row) for row in range(6)} == {"", "107", "9"}
    small = read(draw(board, 6, 3))
    assert (written(small, 1), written(small, 2)) == ("07", "9")


def test_a_number_takes_the_place_of_label_and_mark():
    board = squares(
        3,
        3,
        labels={4: "x"},
        strokes=(Stroke((4,), "#ff0000"),),
        numerals={4: Numeral(7, "#ffffff")},
    )
    assert set(read(draw(board, 24, 12)).letters.values()) == {"7"}


def test_a_name_has_a_line_of_its_own_or_covers_what_is_no_mark():
    board = squares(
        3,
        3,
        labels={0: "x"},
        notes={0: "a3", 4: "b2", 8: "c1"},
        strokes=(Stroke((8,), "#ff0000"),),
    )
    large = list(read(draw(board, 24, 12)).letters.values())
    assert sorted(large) == sorted("xa3b2●c1")
    assert sorted(read(draw(board, 6, 3)).letters.values()) == sorted("a3b2●")
    assert read(draw(squares(3, 3, notes={4: "a3"}), 3, 2)).letters == {}


def test_rows_and_columns_are_named_beside_and_below_the_board():
    board = replace(squares(3, 3), rows={0: "10", 3: "9", 6: "8"}, columns={6: "a", 7: "b", 8: "c"})
    screen = read(draw(board, 15, 7))
    texts = {written(screen, row) for row in range(7)} - {""}
    assert texts == {"10", "9", "8", "abc"}
    for line, column in screen.letters:
        assert (column < 2) == (line < 6)
    assert len(screen.pixels) == 14


def test_axes_give_way_to_the_signs_of_cells():
    board = replace(squares(5, 5, groups=[0] * 25), rows={0: "1"})
    assert "1" in read(draw(board, 12, 5)).letters.values()
    assert set(read(draw(board, 10, 5)).letters.values()) == {"·"}
