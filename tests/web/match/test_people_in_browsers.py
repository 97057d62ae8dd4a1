"""Two people in two browsers: names, lobby, confirmed moves, leaving, a rematch; spectators."""

from __future__ import annotations

import time

import pytest

from ludograph.web.app import application
from tests.web.board import ASKED_OR_OVER, TARGETS, accept, begin, choose, open_menu
from tests.web.conftest import served
from tests.web.test_everybody import AXE, faults_of
from tests.web.test_phone import PHONE

pytestmark = pytest.mark.slow

LEFT = "has left the page."
ASKED = "() => document.querySelector('#board svg')?.board.state.input.asks"


@pytest.fixture
def phone(server, chromium):
    """A page on a phone."""
    context = chromium.new_context(base_url=server[0], **PHONE)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def name(page, called: str) -> None:
    page.locator("#own-name").fill(called)
    page.get_by_role("button", name="Save").click()


def check_that_the_result_stays(spectator) -> None:
    """Look at the page of a spectator while the people go to their rematch."""
    spectator.get_by_text("The rematch has begun.").wait_for()
    assert "resigned" in spectator.locator("#status").inner_text()
    spectator.wait_for_timeout(3500)  # until people who leave a page are missed
    assert spectator.get_by_text(LEFT).count() == 0
    assert spectator.get_by_text("not here").count() == 0
    spectator.close()


def test_two_people_meet_in_the_lobby_play_and_play_again(page, phone) -> None:
    page.goto("/games/hex")
    assert not page.locator("#listing").is_visible()
    page.locator("#player1").select_option("guest")
    page.locator("#listed").check()
    page.locator("[name='board.width']").fill("5")
    page.get_by_role("button", name="Start").click()
    name(page, "Ann")
    page.locator(".invite summary").click()
    assert page.locator(".invite img").evaluate("each => each.naturalWidth") > 0
    phone.goto("/")
    phone.locator("#lobby li", has_text="with Ann").get_by_role("button").tap()
    name(phone, "<i>Bob</i>")
    phone.get_by_text("A name has letters, digits").wait_for()
    name(phone, "Bob")
    page.locator("#seats", has_text="Bob").wait_for()
    page.locator(".invite .present").wait_for()
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    choose(page, 7)
    phone.wait_for_function(ASKED, polling=100)
    assert phone.title().startswith("● ")
    phone.evaluate("scrollTo(0, 0)")  # the name's field is below the board
    first, second = phone.evaluate(TARGETS)[:2]
    phone.touchscreen.tap(*first)
    phone.locator("#choices .confirms", has_text="Play ").wait_for()
    assert phone.locator("#moves li").count() == 1  # one tap plays nothing
    phone.touchscreen.tap(*second)
    phone.touchscreen.tap(*second)
    page.locator("#moves li:nth-child(2)").wait_for()
    assert "Bob plays " in page.locator("#status").inner_text()
    phone.goto("/")
    page.get_by_text(f"Bob {LEFT}").wait_for()
    assert "not here" in page.locator("#seats li").last.inner_text()
    assert page.locator(".invite input").is_visible()
    phone.go_back()
    page.locator(".invite .present", has_text="Bob is here.").wait_for()
    assert page.get_by_text(LEFT).count() == 0  # it is no longer true
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign now?").click()
    before = page.url
    spectator = page.context.browser.new_page()
    spectator.goto(before.partition("?")[0])
    spectator.locator("#status", has_text="resigned").wait_for()
    page.get_by_role("button", name="Rematch").click()
    phone.get_by_text("Ann proposes a rematch with exchanged seats.").wait_for()
    phone.get_by_role("button", name="Accept").tap()
    for each in (page, phone):
        each.wait_for_url(lambda url: url.partition("?")[0] != before.partition("?")[0])
        each.locator("#seats li").nth(1).wait_for()
    check_that_the_result_stays(spectator)
    assert page.locator("#seats .name").all_inner_texts() == ["Bob", "You"]
    assert phone.locator("#seats .name").all_inner_texts() == ["You", "Ann"]


def test_the_link_of_a_seat_is_an_invitation_that_asks_for_a_name(page, phone) -> None:
    begin(page, "hex", board_width="5", player1="guest", pie="false")
    name(page, "Anna")
    page.locator("#seats", has_text="not here").wait_for()
    phone.goto(page.locator(".invite input").input_value())
    assert phone.locator("h1").inner_text() == "Anna invites you to Hex"
    assert page.locator("#seats", has_text="not here").count() == 1  # until the friend plays
    phone.get_by_label("Your name").fill("Bob")
    phone.get_by_role("button", name="Play", exact=True).tap()
    page.locator("#seats .name", has_text="Bob").wait_for()
    page.locator("#seats", has_not_text="not here").wait_for()
    assert phone.locator("#seats .name").all_inner_texts() == ["Anna", "You"]


def test_axe_finds_nothing_while_another_person_is_waited_for(server, chromium) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not here: make test-all installs it")
    context = chromium.new_context(base_url=server[0], bypass_csp=True)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto("/games/hex")
    page.locator("#player1").select_option("guest")
    page.locator("#listed").check()
    page.get_by_role("button", name="Start").click()
    page.locator(".invite summary").click()
    page.locator("#seats li").first.wait_for()
    home = context.new_page()
    home.goto("/")
    home.locator("#lobby li").first.wait_for()
    found = [*faults_of(page), *faults_of(home)]
    context.close()
    assert found == []


def test_a_spectators_page_follows_when_the_server_is_started_again(chromium, tmp_path) -> None:
    def start():
        return application(tmp_path / "games", str(tmp_path / "store.db"))

    with served(start()) as address:
        page = chromium.new_page(base_url=address)
        page.set_default_timeout(120_000)
        begin(page, "hex", board_width="5", player0="human", player1="random", seed="2")
        choose(page)
        page.wait_for_selector("#moves li:nth-child(2)")
        spectator = chromium.new_context().new_page()
        spectator.goto(page.url.partition("?")[0])
        spectator.set_default_timeout(120_000)
        spectator.wait_for_selector("#moves li:nth-child(2)")
    with served(start(), int(address.rpartition(":")[2])):
        page.get_by_role("button", name="Continue").click()
        page.wait_for_function(ASKED_OR_OVER, polling=100)
        choose(page)
        spectator.wait_for_selector("#moves li:nth-child(3)")  # nobody has touched its page
        spectator.close()
        page.close()


def test_a_move_chosen_on_the_others_turn_is_played_if_it_is_possible(
    page, chromium, server
) -> None:
    begin(page, "hex", board_width="5", player1="guest", pie="false")
    other = chromium.new_page(base_url=server[0])
    accept(other, page.locator(".invite input").input_value())
    page.locator(".invite .present").wait_for()
    open_menu(page)
    page.get_by_role("button", name="Premoves").click()
    page.keyboard.press("Escape")
    page.wait_for_function(ASKED, polling=100)
    places = page.evaluate(TARGETS)
    page.mouse.click(*places[0])
    other.wait_for_function(ASKED, polling=100)
    answer = page.locator("#answer")
    page.locator("#moves li").wait_for()  # its own move has come back
    until = time.monotonic() + 60
    while "The marked move is played at your turn" not in answer.inner_text():
        assert time.monotonic() < until, answer.inner_text()
        page.mouse.click(*places[1])  # again, if it came while the board was drawn
        page.wait_for_timeout(200)
    page.mouse.click(*places[1])  # cancels it
    page.mouse.click(*places[2])
    assert page.locator(".hint").count() == 1
    assert other.locator("#moves li").count() == 1  # the other one sees nothing of it
    choose(other, 9)
    page.locator("#moves li:nth-child(3)").wait_for()
    assert page.locator(".hint").count() == 0
    other.wait_for_function(ASKED, polling=100)
    taken = other.evaluate(TARGETS)[0]
    page.mouse.click(*places[1])
    other.mouse.click(*taken)  # the same cell
    answer.get_by_text("is not possible now").wait_for()
    assert page.evaluate(ASKED)
    assert page.locator("#moves li").count() == 4
    other.close()


PLACE = """() => {
  const { x, y, width, height } = document.getElementById("board").getBoundingClientRect();
  return [x, y + scrollY, width, height];
}"""
"""Where on the page the board stands."""


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1000, "height": 700}}, PHONE])
def test_the_board_stands_still_while_people_come_and_go(server, chromium, screen) -> None:
    context = chromium.new_context(base_url=server[0], **screen)
    context.set_default_timeout(60_000)
    page = context.new_page()
    begin(page, "hex", board_width="5", player1="guest", pie="false")
    place = page.evaluate(PLACE)
    link = page.locator(".invite input").input_value()
    page.locator(".invite summary").click()
    assert page.evaluate(PLACE) == place
    other = chromium.new_page()
    accept(other, link)
    page.locator(".invite .present").wait_for()
    assert not page.locator(".invite img").is_visible()
    assert page.evaluate(PLACE) == place
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    choose(page, 7)
    if screen is PHONE:  # a second tap confirms the first
        page.locator("#choices .confirms").click()
    page.locator("#moves li").wait_for()
    other.wait_for_function(ASKED, polling=100)
    assert not page.locator(".invites").is_visible()  # on a phone the board has its room
    if screen is not PHONE:
        assert page.evaluate(PLACE) == place  # the status has another sentence now
    other.close()
    page.get_by_text(f"Another person {LEFT}").wait_for()
    page.locator(".invite .absent").wait_for()
    if screen is not PHONE:
        assert page.evaluate(PLACE) == place
    context.close()
