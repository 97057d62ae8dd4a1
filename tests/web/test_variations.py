"""Variations: moves tried on the page of a recorded game form a tree, which the address keeps."""

import pytest

from ludograph import make, play_match, read_record
from ludograph.errors import LudographError
from ludograph.web.variations import LONGEST, variation_data
from tests.web.board import TARGETS

NUMBER = "20260101-0123456789"

STONES = "() => document.querySelector('#board svg').board.state.picture.pieces.length"


def wait_for_stones(page, count):
    wanted = STONES.replace("() =>", "(count) =>") + " === count"
    page.wait_for_function(wanted, arg=count, polling=100)


@pytest.fixture(scope="module")
def record(server):
    path = server[1].match_manager.path(NUMBER)
    path.parent.mkdir(parents=True, exist_ok=True)
    play_match(make("hex", size=3, pie=False), ["random", "random"], seed=2, record=path)
    return read_record(path)


def test_a_variation_is_the_position_behind_its_moves_with_its_legal_moves(record) -> None:
    start = record.start.copy()
    moves = [start.text(move) for move in start.legal_moves()[:2]]
    found = variation_data(record, 0, moves)
    for move in moves:
        start.play(move)
    assert found["now"]["ply"] == 2
    assert [text for _, text, _ in found["ask"]["moves"]] == [
        start.text(move) for move in sorted(start.legal_moves())
    ]
    assert variation_data(record, record.plies, ())["ask"] is None  # the game is over
    for step, wrong in ((0, ("z9",)), (0, (moves[0],) * 2), (99, ()), (0, moves * LONGEST)):
        with pytest.raises(LudographError):
            variation_data(record, step, wrong)


def test_moves_that_are_tried_form_a_tree_which_the_address_keeps(page, record) -> None:
    page.goto(f"/replay/here/{NUMBER}#1")
    page.wait_for_selector("#replay[data-shown='1']")
    tree = page.locator("#variations")
    page.get_by_role("button", name="Try moves").click()
    page.wait_for_selector("#variations[data-shown='1']")
    page.mouse.click(*page.evaluate(TARGETS)[0])
    tree.locator("ul button").first.wait_for()
    wait_for_stones(page, 2)
    page.mouse.click(*page.evaluate(TARGETS)[0])
    wait_for_stones(page, 3)
    first = tree.locator("ul button").first
    first.click()
    wait_for_stones(page, 2)
    page.mouse.click(*page.evaluate(TARGETS)[1])
    wait_for_stones(page, 3)
    texts = tree.locator("ul button").all_inner_texts()
    assert len(texts) == 3  # one move, and two that were tried behind it
    assert "is to move" in page.locator("#status").inner_text()
    shown = tree.get_attribute("data-shown")
    page.reload()
    page.wait_for_selector(f"#variations[data-shown='{shown}']")
    wait_for_stones(page, 3)
    assert sorted(tree.locator("ul button").all_inner_texts()) == sorted(texts)
    page.get_by_role("button", name="Back to the game").click()
    wait_for_stones(page, 1)
    assert tree.locator("ul button").count() == 3
    page.keyboard.press("Home")
    page.wait_for_selector("#replay[data-shown='0']")


def test_an_address_with_an_illegal_move_shows_the_game_and_says_why(page, record) -> None:
    page.goto(f"/replay/here/{NUMBER}#1/z9")
    page.locator("#answer:not(:empty)").wait_for()
    assert page.evaluate(STONES) == 1
