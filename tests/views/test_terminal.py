import os
import re
from dataclasses import replace

import numpy as np
import pytest

from ludograph.views import colors, plain, terminal
from ludograph.views.capabilities import Colors
from ludograph.views.raster import rasterize
from ludograph.views.scene import Sketch, Stroke
from tests.views.build import HEXAGON, SQUARE, hexagons, scene, squares
from tests.views.screen import read


def draw(whole, width=80, height=40, **more):
    return terminal.render(whole, width=width, height=height, color=Colors.TRUE, **more)


def color(whole, cell):
    return colors.parse(whole.palette[whole.fills[cell]].rgb)


def test_a_square_is_two_characters_wide_and_one_high():
    board = squares(20, 20)
    screen = read(draw(board))
    assert len(screen.pixels) == 40
    for cell in range(board.size):
        y, x = divmod(cell, 20)
        seen = {screen.pixels[2 * y + j][2 * x + i] for i in (0, 1) for j in (0, 1)}
        assert seen == {color(board, cell)}


def test_a_small_board_is_drawn_twice_as_large():
    assert [len(line) for line in read(draw(squares(5, 5))).pixels] == [20] * 20


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
    screen = read(draw(squares(1, 3, [0, -1, 1])))
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
    screen = read(draw(squares(20, 20, labels={0: "1", 21: "ab"})))
    assert screen.letters == {(0, 0): "1", (1, 2): "a", (1, 3): "b"}


def test_wide_letters_do_not_shift_the_board():
    assert read(draw(squares(20, 20, labels={0: "漢"}))).letters == {}


def test_each_group_has_its_sign():
    groups = np.full(400, -1)
    groups[[0, 1]], groups[399] = 0, 1
    screen = read(draw(squares(20, 20, groups=groups)))
    assert screen.letters == {(0, 0): "·", (0, 2): "·", (19, 38): "×"}


def test_symbols_stand_before_the_sign_of_the_group():
    groups = np.full(400, -1)
    groups[0] = 0
    screen = read(draw(squares(20, 20, groups=groups), symbols=True))
    assert screen.letters[0, 0] + screen.letters[0, 1] + screen.letters[0, 2] == "0·1"


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
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((30, 11)))
    lines = terminal.render(squares(40, 40), color=Colors.TRUE).split("\n")
    assert len(lines) == 10


def test_a_board_without_cells_is_only_text():
    assert draw(scene([], HEXAGON, [], title="Nothing")) == "Nothing"


def test_a_label_takes_the_color_of_its_group_where_it_can_be_read():
    board = squares(20, 20, np.zeros(400), groups=[0, 1] * 200, group_colors=("#ffffff", "#237cf0"))
    labelled = replace(board, labels={0: "1", 1: "2"})
    first = draw(labelled).split("\n")[0]
    assert re.search("38;2;255;255;255[^m]*m1", first)
    # The second group has the color of the cells: any readable ink will do.
    assert not re.search("38;2;35;124;240[^m]*m2", first)


def test_equal_neighbors_are_told_apart_on_a_large_board():
    screen = read(draw(squares(1, 2, [0, 0])))
    assert len(set(screen.pixels[0])) == 2
    assert len(set(read(draw(squares(1, 2, [0, 1]))).pixels[0])) == 2
