"""Moves entered in a terminal: the cursor, its marks, the line, the keyboard."""

import os
import pty
import tty
from types import SimpleNamespace

import numpy as np
import pytest

from ludograph import amazons, carcassonne, flood, hex, penguins
from ludograph.cli import terminal as screen
from ludograph.cli.play.cursor import DIRECTIONS, BoardCursor, MovePicker, marked_targets
from ludograph.cli.play.frames import Frame
from ludograph.cli.play.person import MoveQuestion
from ludograph.cli.terminal import is_whole
from ludograph.views import plain, terminal
from ludograph.views.ansi import Colors
from tests.views.screen import read

OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}


def pointer_at(position):
    return BoardCursor(position, position.legal_moves())


def frame_of(position):
    return Frame(position, ["one", "two"], "heading", "line")


BOARDS = {
    "square": lambda: flood.position("square:5", colors=4, seed=2),
    "hatched": lambda: flood.position("hatched:12", colors=4, seed=2),
    "hexagonal": lambda: flood.position("hexagonal:6", colors=4, seed=2),
    "triangular": lambda: flood.position("triangular:4", colors=4, seed=2),
    "with borders": lambda: hex.position(5),
    "octo-tetra": lambda: penguins.position("octo-tetra:6", seed=1),
    "dodeca-hexa-tetra": lambda: penguins.position("dodeca-hexa-tetra:6", seed=1),
    "penrose": lambda: penguins.position("penrose:7", seed=1),
}
"""Made when a test needs them: all that collect tests would wait for them."""


@pytest.fixture(scope="module", params=BOARDS)
def position(request):
    return BOARDS[request.param]()


def test_arrows_reach_every_cell(position):
    pointer = pointer_at(position)
    reached, waiting = {pointer.cell}, [pointer.cell]
    while waiting:
        cell = waiting.pop()
        for key in DIRECTIONS:
            pointer.put(cell)
            pointer.move(key)
            if pointer.cell not in reached:
                reached.add(pointer.cell)
                waiting.append(pointer.cell)
    assert reached == set(np.flatnonzero(pointer.scene.fills >= 0).tolist())


@pytest.mark.parametrize("key", DIRECTIONS)
def test_arrows_go_where_they_point(position, key):
    pointer = pointer_at(position)
    right, down = DIRECTIONS[key]
    for cell in range(pointer.scene.size):
        pointer.put(cell)
        pointer.move(key)
        if pointer.cell != cell:
            x, y = pointer.scene.positions[pointer.cell] - pointer.scene.positions[cell]
            assert x * right + y * down > 0


def test_who_goes_down_and_up_between_shifted_rows_comes_back():
    pointer = pointer_at(hex.position(7))
    for cell in range(pointer.scene.size):
        for key, back in OPPOSITE.items():
            pointer.put(cell)
            pointer.move(key)
            if pointer.cell != cell:
                pointer.move(back)
                assert pointer.cell == cell


def test_rows_of_a_grid_are_walked_cell_by_cell():
    pointer = pointer_at(flood.position("square:5", colors=4, seed=2))
    pointer.put(0)
    for _ in range(9):
        pointer.move("right")
    assert pointer.cell == 4
    for _ in range(9):
        pointer.move("down")
    assert pointer.cell == 24


def test_parts_are_chosen_one_after_the_other():
    position = amazons.position("square:6", queens=1)
    pointer = pointer_at(position)
    for move in position.legal_moves()[::7]:
        cells = [cells[0] for cells in position.game.interaction.pointed(position, move)]
        pointer.chosen = []
        for step, cell in enumerate(cells):
            assert cell in pointer.targets()
            pointer.put(cell)
            whole = pointer.choose()
            assert whole == ([move] if step == 2 else [])
        pointer.back()
        assert pointer.chosen == cells[:2]
        assert pointer.cell == cells[2]


def test_another_beginning_begins_anew():
    position = amazons.position("square:6", queens=2)
    pointer = pointer_at(position)
    first, second = sorted(pointer.targets())
    pointer.put(first)
    pointer.choose()
    pointer.put(second)
    assert pointer.choose() == []
    assert pointer.chosen == [second]
    free = next(cell for cell in range(36) if cell not in pointer.targets() | {first, second})
    pointer.put(free)
    assert pointer.choose() is None
    assert pointer.chosen == [second]


def test_what_the_cursor_is_on_is_told():
    pointer = pointer_at(hex.position(3))
    pointer.put(12)
    assert pointer.description(80) == "b2  (free)"
    pointer.put(0)
    assert "black border" in pointer.description(80)


def test_marks_without_colors_move_nothing():
    position = amazons.position("square:6", queens=1)
    pointer = pointer_at(position)
    scene = pointer.scene
    bare = plain.text(scene, {})
    pointer.choose()
    marked = plain.text(scene, pointer.marked(frame_of(position))[1])
    assert bare.replace(" ", "") == marked.translate(str.maketrans("", "", " +[]()"))
    assert len(pointer.targets()) - marked.count("+") in (0, 1)  # one may be hidden by the cursor
    assert marked.count("[") == marked.count("]") == 1
    assert [line[1:] for line in bare.split("\n")] == plain.text(scene).split("\n")


def test_boards_in_no_rows_have_marks_too():
    scene = penguins.position("penrose:6", seed=1).scene().in_cells
    marked = plain.text(scene, {3: "[]", 7: "+ "})
    symbols = [swatch.symbol for swatch in scene.palette]
    assert f"[{symbols[scene.fills[3]]}]" in marked
    assert f"+{symbols[scene.fills[7]]}" in marked


def test_marks_in_color_can_be_seen(position):
    pointer = pointer_at(position)
    marked, _ = pointer.marked(frame_of(position))
    size = {"width": 80, "height": 16, "color": Colors.TRUE}
    before = read(terminal.render(pointer.scene, **size))
    after = read(terminal.render(marked, **size))
    changed = sum(
        a != b
        for x, y in zip(before.pixels, after.pixels, strict=True)
        for a, b in zip(x, y, strict=False)
    )
    assert changed >= 1
    assert np.array_equal(marked.fills >= 0, pointer.scene.fills >= 0)


def test_targets_are_marked_where_colors_do_not_tell_them():
    start = pointer_at(hex.position(4))
    assert marked_targets(start.scene, start.targets()) == []
    moving = pointer_at(amazons.position("square:6", queens=1))
    moving.choose()
    assert marked_targets(moving.scene, moving.targets()) == sorted(moving.targets())


def test_a_picker_goes_through_all_moves():
    position = carcassonne.position(mode="finite")
    position.play(position.legal_moves()[0])
    moves = {position.text(code): code for code in sorted(position.legal_moves())}
    picker = MovePicker(position, moves)
    assert picker.choose() == [moves[picker.groups[0][0]]]
    picker.back()
    assert picker.choose() == []
    seen = set()
    for _ in picker.groups:
        picker.move("right")
        picker.member = 0
        for _ in picker.groups[picker.group]:
            seen.add(picker.text)
            assert picker.choose() == [moves[picker.text]]
            assert picker.marked(frame_of(position))[0].size >= position.scene().size - 9
            picker.move("down")
    assert seen == set(moves)
    picker.back()
    assert picker.text == ""


def line_of(*moves):
    """Return a question with an empty line, where these moves are legal."""
    question = MoveQuestion.__new__(MoveQuestion)
    question.turn = SimpleNamespace(moves=dict.fromkeys(moves))
    question.text = question.begun = ""
    return question


def typed(line, *keys):
    for key in keys:
        line.edit(key)
    return line.text


def test_a_line_is_edited_at_its_end():
    line = line_of()
    assert typed(line, *"abc", "backspace", "x", "left") == "abx"
    assert typed(line, " ", *"ef", "clear-word") == "abx"
    assert typed(line, "clear") == ""
    assert typed(line, "left", "backspace", "clear-word", "") == ""


def test_a_line_completes_as_far_as_there_is_no_doubt():
    line = line_of("blue", "black", "green", "1,2 r0", "1,2 r1")
    assert typed(line, "b", "tab") == "bl"
    assert typed(line, "u", "tab") == "blue"
    assert typed(line, "clear", "G", "tab") == "green"
    assert typed(line, "clear", "1", "tab") == "1,2 r"
    assert typed(line, "clear", "z", "tab") == "z"


def test_a_line_goes_through_what_begins_so():
    line = line_of("b1", "a1", "b2", "b3")
    assert typed(line, "b") == "b"
    assert [typed(line, "down") for _ in range(4)] == ["b1", "b2", "b3", "b1"]
    assert typed(line, "up") == "b3"
    assert typed(line, "backspace", "up") == "b3"


@pytest.mark.parametrize(
    ("key", "whole"),
    [
        (b"a", True),
        (b"\x1b", False),
        (b"\x1b[", False),
        (b"\x1b[A", True),
        (b"\x1b[1~", True),
        (b"\x1b[1", False),
        (b"\x1bOA", True),
        (b"\x1bh", True),
        ("é".encode(), True),
        ("é".encode()[:1], False),
        ("€".encode()[:2], False),
        ("€".encode(), True),
    ],
)
def test_where_a_key_ends(key, whole):
    assert is_whole(key) is whole


def test_keys_have_names(monkeypatch):
    ours, theirs = pty.openpty()
    try:
        tty.setcbreak(theirs)
        monkeypatch.setattr(screen, "INPUT", theirs)
        keys = screen.Terminal(keys=True)
        pressed = ["a", "é", "\x1b[A", "\x1bOB", "\x1b[3~", "\r", "\x7f", "\x04", "\x1b[99~"]
        os.write(ours, "".join(pressed).encode())
        named = ["a", "é", "up", "down", "", "enter", "backspace", "closed", ""]
        assert [keys.read(5) for _ in pressed] == named
        assert keys.read(0) is None
        os.write(ours, b"\x1b")
        assert keys.read(5) == "escape"
    finally:
        os.close(ours)
        os.close(theirs)
