"""The page of a recorded game: its panel, its keys, and what it does while a server is busy."""

import pytest

from ludograph import make, play_match
from tests.web.conftest import NUMBER, record_path

pytestmark = pytest.mark.slow

IN_SIGHT = """() => {
  const box = (each) => document.querySelector(each).getBoundingClientRect();
  const [list, now] = [box("#moves"), box("#moves .now")];
  return list.top <= now.top && now.bottom <= list.bottom;
}"""


@pytest.fixture(scope="module")
def address(server):
    """The page of a game of some seventy moves."""
    path = record_path(server)
    play_match(make("hex", size=9, pie=False), ["random", "random"], record=path)
    return f"/replay/here/{NUMBER}"


def test_the_panel_stands_still_and_the_current_move_is_in_sight(page, address) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(address)
    page.wait_for_selector("#replay[data-shown]")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.wait_for_function(IN_SIGHT)
    button = page.get_by_role("button", name="One move back")
    before = button.bounding_box()
    last = int(page.locator("#replay").get_attribute("data-shown") or 0)
    for _ in range(3):
        button.click()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(f"#replay[data-shown='{last - 4}']")
    page.keyboard.press("Home")
    page.wait_for_selector("#replay[data-shown='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#replay[data-shown='1']")
    assert button.bounding_box() == before
    assert page.evaluate(IN_SIGHT)
    page.evaluate("document.getElementById('status').textContent = 'a long sentence '.repeat(30)")
    sentence, seats = (page.locator(each).bounding_box() for each in ("#status", "#seats"))
    assert sentence["y"] + sentence["height"] <= seats["y"]


def test_a_busy_server_is_asked_again_and_the_page_says_so(page, address) -> None:
    refused = []

    def busy(route):
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(status=503, json={"error": "busy"})
        else:
            route.continue_()

    page.route("**/frames?*", busy)
    page.goto(address)
    page.locator("#status", has_text="The server is busy. Asking again").wait_for()
    assert page.locator("#board.waits").count() == 1  # a pale board in place of an empty frame
    page.wait_for_selector("#replay[data-shown]")
    assert len(refused) == 2
    assert page.locator("#board.waits").count() == 0
    assert page.locator("#seats li").count() == 2


def test_a_picture_has_its_room_before_it_comes(page) -> None:
    waiting = []

    def hold(route):
        waiting.append(route)

    page.route("**/games/hex/picture.svg*", hold)
    page.goto("/games/hex", wait_until="domcontentloaded")
    before = page.locator("#shown").bounding_box()
    waiting[0].continue_()
    page.wait_for_function("() => document.querySelector('.about img').naturalWidth")
    assert page.locator("#shown").bounding_box() == before
