"""Keys and typed words on the pages of matches and replays, in a browser."""

from __future__ import annotations

import re

import pytest

from tests.web.board import ASKED_OR_OVER, begin, moves

pytestmark = pytest.mark.slow

ANSWERED = "begins => document.querySelector('#answer').textContent.startsWith(begins)"

LONGER_VARIATION = """moves => {
  return document.querySelector("#tries").dataset.shown.split("/").length > moves;
}"""

TOP = "each => each.getBoundingClientRect().top"


def test_keys_work_without_focus_and_typed_words_answer_and_ask_once_more(page, server) -> None:
    page.set_viewport_size({"width": 1000, "height": 620})
    begin(page, "flood", board_width="6", colors="4", seed="1", player1="random")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    assert not page.locator("#keys dt", has_text=re.compile("^r$")).is_visible()  # nothing turns
    page.keyboard.press("n")  # of the window, not of the board
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    # A button that is hidden loses the focus when the page is next drawn.
    page.wait_for_function("() => document.activeElement === document.body", polling=50)
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.tagName") == "svg"
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves li:nth-child(2)")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    answer = page.locator("#answer")
    for word, begins in (("hint", "Hint: "), ("moves", "#1 ")):
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        page.wait_for_function(ANSWERED, arg=begins, polling=100)
        assert "wrong" not in answer.get_attribute("class")
        assert page.locator(".hint").count() > 0
    played = moves(page)
    assert page.locator("#task").evaluate(TOP) >= page.locator("aside").evaluate(TOP)
    field = page.locator("#text").bounding_box()  # both are in sight
    assert field["y"] + field["height"] <= 620
    page.keyboard.type("resign")
    page.keyboard.press("Enter")
    page.get_by_text("Type resign once more to resign.").wait_for()
    page.keyboard.type("moves")
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED, arg="#1 ", polling=100)
    assert moves(page) == played
    page.keyboard.type("re")
    page.keyboard.press("Escape")  # leaves the field, which is empty then
    assert page.evaluate("document.activeElement.tagName") == "svg"
    page.keyboard.press("/")
    for _ in range(2):
        page.keyboard.type("resign")
        page.keyboard.press("Enter")
    page.wait_for_selector("#after:visible")
    assert page.locator("#task").inner_text() == "You lose."


def test_arrows_walk_a_variation_and_question_mark_opens_the_keys_of_a_replay(page, server) -> None:
    begin(page, "hex", board_width="4", seed="1", player1="random")
    for _ in range(2):
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        page.wait_for_function(ASKED_OR_OVER, polling=100)
    number = page.locator("#match").get_attribute("data-number")
    page.goto(f"/replay/here/{number}#2")
    page.wait_for_selector("#replay[data-shown='2']")
    page.keyboard.press("?")
    assert "variation" in page.locator("#keys").inner_text()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Try moves").click()
    line = page.locator("#tries")
    page.wait_for_selector("#tries[data-shown='2']")
    paths = []
    for length in (1, 2):
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        page.wait_for_function(
            LONGER_VARIATION,
            arg=length,
            polling=100,
        )
        paths.append(line.get_attribute("data-shown"))
    for key, shown in (
        ("ArrowLeft", paths[0]),
        ("ArrowRight", paths[1]),
        ("ArrowRight", paths[1]),
        ("ArrowLeft", paths[0]),
        ("ArrowLeft", "2"),
        ("End", paths[1]),
    ):
        page.keyboard.press(key)
        page.wait_for_selector(f"#tries[data-shown='{shown}']")
    for shown in (paths[0], "2", ""):
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(f"#tries[data-shown='{shown}']", state="attached")
    page.wait_for_selector("#replay[data-shown='1']")


def test_keys_go_to_cells_beside_the_own_zone_and_say_what_their_color_wins(page) -> None:
    begin(page, "flood", board_width="8", colors="5", seed="2", player1="random")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")
    assert re.fullmatch(r"\w+: take \d+ cells?", page.locator("#answer").inner_text())
    marked = page.evaluate("() => document.querySelector('#board svg').board.targets().length")
    every = "() => document.querySelector('#board svg').board.state.input.targets().size"
    assert 0 < marked < page.evaluate(every)
    assert page.locator("#board .dots").count() == 1
    assert moves(page) == []
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves li:nth-child(2)")


def test_a_queen_that_is_to_shoot_stands_at_one_place_and_the_old_one_has_a_dot(page) -> None:
    begin(page, "amazons", player1="random")
    board = "document.querySelector('#board svg').board"
    move = page.evaluate(f"() => {board}.state.input.moves[0][2].slice(0, 2)")
    start, end = (page.evaluate(f"n => {board}.state.input.parts[n].cells[0]", n) for n in move)
    page.evaluate(f"cells => cells.forEach((cell) => {board}.choose({{ cell }}))", [start, end])
    assert page.evaluate(f"() => {board}.marks.lifted()") == start
    assert page.evaluate(f"cell => {board}.state.input.targets().has(cell)", start)
    layer = f"{board}.marks.layers.targets.children"
    drawn = page.evaluate(f"() => [...{layer}].map((each) => each.getAttribute('class'))")
    assert drawn == [None, "dots"]  # the cover; no queen stands where the arrow may land
