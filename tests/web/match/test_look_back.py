"""Looking back while a game goes on, and lists of moves that name who made them."""

import pytest

from tests.web.board import ASKED_OR_OVER, begin, choose

pytestmark = pytest.mark.slow

STONES = "() => document.querySelector('#board svg').board.state.picture.pieces.length"

ASKED = "() => document.querySelector('#board svg').board.state.input.asks"


@pytest.fixture
def watcher(page, chromium, server):
    """A second page on which somebody looks on."""
    opened = chromium.new_page(base_url=server[0])
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


def test_a_person_looks_back_and_plays_on(page) -> None:
    begin(page, "hex", board_width="4", player1="random", seed="1", pie="false")
    for number in (2, 4):
        choose(page, 5)
        page.wait_for_selector(f"#moves li:nth-child({number})")
        page.wait_for_function(ASKED_OR_OVER, polling=100)
    now = page.evaluate(STONES)
    present = page.get_by_role("button", name="Back to the game")
    assert not present.is_visible()
    page.locator("#moves li").first.click()
    page.wait_for_selector("#past[data-shown='1']")
    assert page.evaluate(STONES) == now - 3
    assert not page.evaluate(ASKED)
    assert page.locator("#moves [aria-current]").inner_text().startswith("1.")
    page.locator("#moves").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#past[data-shown='0']")
    assert page.get_by_role("button", name="One move back").is_disabled()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#past[data-shown='1']")
    assert page.url.endswith("#1")
    page.reload()
    page.wait_for_selector("#past[data-shown='1']")
    present.click()
    page.wait_for_function(ASKED, polling=100)
    assert page.evaluate(STONES) == now
    assert "#" not in page.url
    page.get_by_role("button", name="One move back").click()
    page.wait_for_selector("#past[data-shown='3']")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()  # returns to the present, too
    page.wait_for_selector("#moves li:nth-child(3)", state="detached")
    assert page.evaluate(STONES) == now - 2


def test_moves_that_are_played_meanwhile_leave_the_board_as_it_is(page, watcher) -> None:
    begin(page, "hex", board_width="4", player1="random", seed="1", pie="false")
    choose(page, 5)
    page.wait_for_selector("#moves li:nth-child(2)")
    watcher.goto(page.url.partition("?")[0])
    watcher.wait_for_selector("#moves li:nth-child(2)")
    names = watcher.locator("#moves .unseen").all_inner_texts()
    assert len(set(names)) == 2
    watcher.locator("#moves li").first.click()
    watcher.wait_for_selector("#past[data-shown='1']")
    before = watcher.evaluate(STONES)
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    choose(page, 5)
    watcher.wait_for_selector("#moves li:nth-child(4)")
    assert watcher.evaluate(STONES) == before
    watcher.get_by_role("button", name="Back to the game").click()
    assert watcher.evaluate(STONES) == before + 3
