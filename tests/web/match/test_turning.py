"""Turned boards are clicked on where they are seen; pieces bear the numbers of moves."""

import pytest

from ludograph import make, play_match
from tests.web.board import TARGETS
from tests.web.conftest import NUMBER, record_path
from tests.web.replay.test_variations import wait_for_stones

pytestmark = pytest.mark.slow

SEEN = """(cell) => {
  const svg = document.querySelector("#board svg");
  const [x, y] = svg.board.state.cells.center(cell);
  const seen = new DOMPoint(x, y).matrixTransform(svg.querySelector(".pieces").getScreenCTM());
  return [seen.x, seen.y];
}"""
"""Where on the page the browser draws a cell."""

CELLS = "[...document.querySelector('#board svg').board.state.input.targets()]"

NUMBERS = "[...document.querySelectorAll('#board .number')].map((each) => each.textContent)"


@pytest.fixture
def replay(page, server):
    path = record_path(server)
    play_match(make("hex", size=3, pie=False), ["random", "random"], seed=2, record=path)
    page.goto(f"/replay/here/{NUMBER}#2")
    page.wait_for_selector("#replay[data-shown='2']")
    return page


def test_a_turned_board_is_clicked_on_where_it_is_drawn(replay) -> None:
    replay.get_by_role("button", name="Try moves").click()
    replay.wait_for_selector("#tries[data-shown='2']")
    before = replay.evaluate(TARGETS)
    for name, targets in (("Rotate", 3), ("Mirror", 4)):
        replay.get_by_role("button", name=f"{name} the board").click()
        after = replay.evaluate(TARGETS)
        assert after != before
        cell = replay.evaluate(CELLS)[0]
        replay.mouse.click(*replay.evaluate(SEEN, cell))
        wait_for_stones(replay, targets)
        assert cell not in replay.evaluate(CELLS)
        before = after


def test_mirroring_twice_and_turning_four_times_leave_the_board_as_it_was(replay) -> None:
    begun = replay.evaluate(SEEN, 0)
    places = [begun]
    replay.locator("#board svg").focus()
    for key in "mmtttt":
        replay.keyboard.press(key)
        places.append(replay.evaluate(SEEN, 0))
    assert places[2] == places[6] == begun
    assert begun not in (places[1], *places[3:6])
    middle = replay.locator("#board").bounding_box()
    mirrored = 2 * middle["x"] + middle["width"] - begun[0]
    assert places[1] == pytest.approx([mirrored, begun[1]], abs=60)  # beside the ticks


def test_stones_bear_the_numbers_of_their_moves_in_variations_too(replay) -> None:
    assert replay.evaluate(NUMBERS) == []
    replay.get_by_role("button", name="Numbers", exact=True).click()
    assert replay.evaluate(NUMBERS) == ["1", "2"]
    replay.get_by_role("button", name="Try moves").click()
    replay.wait_for_selector("#tries[data-shown='2']")
    replay.mouse.click(*replay.evaluate(TARGETS)[0])
    wait_for_stones(replay, 3)
    assert replay.evaluate(NUMBERS) == ["1", "2", "3"]
