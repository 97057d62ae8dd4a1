"""What a page shows until a game can begin: on a new machine, rules are compiled for a minute."""

import threading

import pytest
from playwright.sync_api import Route

from ludograph.web.match.live_match import LiveMatch
from tests.web.board import ASKED_OR_OVER

pytestmark = pytest.mark.slow

CLICK_TWICE = """async () => {
  const button = document.querySelector('form[action="/games/penguins"] button.primary');
  const wait = () => new Promise((done) => setTimeout(done, 200));
  button.click();
  await wait();
  button.click();
  await wait();
  return button.innerText;
}"""


def test_a_second_click_on_play_now_begins_no_second_game(page) -> None:
    page.goto("/")
    button = page.locator('form[action="/games/penguins"] button.primary')
    before = button.inner_text()
    asked: list[Route] = []

    def hold(route: Route) -> None:  # no answer yet
        asked.append(route)

    page.route("**/games/penguins", hold)
    assert page.evaluate(CLICK_TWICE) == "Getting ready …"
    assert len(asked) == 1
    asked[0].continue_()
    page.wait_for_url("**/match/**")
    page.go_back()
    assert button.inner_text() == before
    assert button.is_enabled()


def test_the_page_does_not_ask_for_a_move_until_the_other_player_is_ready(
    page, monkeypatch
) -> None:
    ready, begins = threading.Event(), LiveMatch._on_ready
    monkeypatch.setattr(LiveMatch, "_on_ready", lambda match: ready.wait(60) and begins(match))
    page.goto("/games/flood")
    page.locator("[name='player1']").select_option("random")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/**")
    page.wait_for_selector("#match[data-ready]")
    task = page.locator("#task")
    assert "random" in task.inner_text()
    page.locator("#board svg").click()
    assert page.locator("#answer").inner_text() == ""
    ready.set()
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    assert task.inner_text().startswith("Your move")
