"""Pages on a phone: what is chosen there is large enough for a finger, and at hand."""

import re

import pytest

from ludograph import make
from ludograph.games.carcassonne.decks import course
from ludograph.games.search_players import RandomMoves
from ludograph.players import parse_player
from tests.web.board import ASKED_OR_OVER, TARGETS, open_menu

pytestmark = pytest.mark.slow

PHONE = {
    "viewport": {"width": 390, "height": 664},
    "has_touch": True,
    "is_mobile": True,
    "reduced_motion": "reduce",
}

PLACES = """() => {
  const { board } = document.querySelector("#board svg");
  const { left, right, top, bottom } = document.getElementById("board").getBoundingClientRect();
  const inside = ([x, y]) => x > left && x < right && y > top && y < bottom;
  const places = board.state.input.spots();
  return places.map(({ part }) => {
    const across = board.state.input.corners(part).map(([x]) => x);
    const at = board.camera.toWindow(part.center);
    const wide = Math.max(...across) - Math.min(...across);
    return { at, seen: inside(at), pixels: wide / board.camera.unit() };
  });
}"""
"""Where the places are at which something can be put, or chosen of what is put there."""

VIEW = "document.querySelector('#board svg').getAttribute('viewBox')"

TILE = """() => {
  const { state, camera } = document.querySelector("#board svg").board;
  const across = state.input.corners(state.input.chosenPlace()).map(([x]) => x);
  return (Math.max(...across) - Math.min(...across)) / camera.unit();
}"""
"""The side, in pixels, of the tile that is put somewhere."""

CHOSEN_AT = """() => {
  const { board } = document.querySelector("#board svg");
  const corners = board.state.input.corners(board.state.input.chosenPlace());
  const heights = corners.map((corner) => board.camera.toWindow(corner)[1]);
  return [Math.min(...heights), Math.max(...heights)];
}"""
"""The upper and the lower edge, in pixels, of the place where a tile was put."""

LAST_IN_VIEW = """() => {
  const { board } = document.querySelector("#board svg");
  const { left, right, top, bottom } = document.getElementById("board").getBoundingClientRect();
  const [x, y] = board.camera.toWindow(board.state.picture.focus);
  return x > left && x < right && y > top && y < bottom;
}"""
"""Whether the tile that was placed last is in view."""


@pytest.fixture
def on_phone(server, chromium):
    """Opens a game on a phone, after random moves; a person is to move."""
    context = chromium.new_context(base_url=server[0], **PHONE)
    context.set_default_timeout(60_000)

    def opened(start, plies, seed, height=PHONE["viewport"]["height"]):
        player, position, moves = RandomMoves(seed), start.copy(), []
        while position.ply < plies:
            moves.append(player.choose(position))
            position.push(moves[-1])
        players = [parse_player(name, start.game, 2) for name in ("human", "human")]
        manager = server[1].match_manager
        match = manager.begin(start, players, own=(0, 1), moves=moves)
        page = context.new_page()
        page.set_viewport_size({**PHONE["viewport"], "height": height})
        page.goto(match.address)
        page.wait_for_function(ASKED_OR_OVER, polling=50)
        return page

    yield opened
    context.close()


def country():
    """Return a game whose landscape grows."""
    return make("carcassonne", seats=2, mode="finite", meeples=40)


@pytest.fixture
def phone(on_phone):
    """A game whose country is far larger than the screen: fifty tiles, and the next is dealt."""
    return on_phone(country(), 101, seed=1)


def tap_a_place(page) -> None:
    """Put the tile somewhere in sight."""
    page.touchscreen.tap(*next(each["at"] for each in page.evaluate(PLACES) if each["seen"]))
    page.locator("#choices .confirms").wait_for()


BOX = """(selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return [left, top, right, bottom].map(Math.round);
}"""

SMALL_TARGETS = """() => [...document.querySelectorAll("#match :is(button, a.button, summary)")]
  .filter((each) => each.checkVisibility() && !each.closest(".choices .add"))
  .filter((each) => each.getBoundingClientRect().height < 40)
  .map((each) => each.textContent)"""

SHIFTS = """() => new Promise((told) => new PerformanceObserver((list) => {
  const moved = list.getEntries().filter((each) => !each.hadRecentInput);
  told(moved.reduce((sum, each) => sum + each.value, 0));
}).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => told(0), 300))"""
"""How much has moved on the page without anybody's doing."""

CELL = "200 / document.querySelector('#board svg').board.camera.unit()"


@pytest.mark.parametrize("high", [844, 640])
def test_a_match_is_one_screen_with_the_board_between_the_seats(on_phone, high) -> None:
    phone = on_phone(make("hex", size=9), 6, seed=1, height=high)
    usual = phone.context.new_page()
    usual.goto("/games/hex")
    assert usual.locator("[name='board.width']").input_value() == "9"
    assert phone.evaluate(SHIFTS) < 0.1
    board = phone.evaluate(BOX, "#board")
    assert board[3] - board[1] > board[2] - board[0]  # it stands upright
    assert phone.evaluate(CELL) >= 28
    assert phone.evaluate(BOX, "#seats li:not(.below)")[3] <= board[1]
    assert phone.evaluate(BOX, "#seats li.below")[1] >= board[3]
    assert phone.evaluate(BOX, ".bar")[3] <= high
    assert phone.evaluate(SMALL_TARGETS) == []
    tools = phone.get_by_role("button", name="Rotate the board")
    assert not tools.is_visible()
    open_menu(phone)
    tools.tap()
    turned = phone.evaluate(BOX, "#board")
    assert turned[3] - turned[1] < turned[2] - turned[0]


def test_a_finger_that_is_down_sees_its_stone_above_and_chooses_where_it_is_lifted(
    on_phone,
) -> None:
    phone = on_phone(make("hex", size=11), 4, seed=1)
    first, second = phone.evaluate(TARGETS)[30:32]
    finger = phone.context.new_cdp_session(phone)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", first)
    lens = phone.locator(".lens")
    lens.wait_for()
    assert lens.bounding_box()["y"] + lens.bounding_box()["height"] < first[1]
    assert phone.locator(".marks .ghost").count() == 1
    touch("touchMove", second)
    touch("touchEnd")
    phone.locator("#choices .confirms").wait_for()
    assert lens.count() == 0
    chosen = phone.evaluate("""() => {
      const { board } = document.querySelector("#board svg");
      return board.camera.toWindow(board.state.cells.center(board.state.input.picked[0]));
    }""")
    assert chosen == pytest.approx(second, abs=1)
    assert phone.locator("#moves li").count() == 4
    phone.locator("#choices .confirms").tap()
    phone.locator("#moves li").nth(4).wait_for()


def test_a_meeple_with_its_points_is_on_each_part_that_can_be_claimed(phone) -> None:
    tap_a_place(phone)
    claims = phone.evaluate(PLACES)
    assert phone.locator("#choices .add").count() == len(claims)  # each has a button, too
    assert phone.locator(".offer .ghost").count() == len(claims) > 0
    notes = phone.locator(".offer text").all_text_contents()
    spoken = phone.locator("#choices .add").all_text_contents()
    assert sorted(filter(None, notes)) == sorted(re.findall(r"(\d+) point", " ".join(spoken)))
    assert phone.evaluate(TILE) >= 120
    phone.touchscreen.tap(*claims[-1]["at"])
    phone.locator("#choices [aria-pressed='true']").wait_for(state="attached")
    confirm = phone.locator("#choices .confirms").bounding_box()
    assert confirm["y"] + confirm["height"] <= PHONE["viewport"]["height"]
    before = phone.locator("#moves li").count()
    phone.locator("#choices .confirms").tap()
    phone.locator("#moves li").nth(before).wait_for()


def test_back_leads_to_where_one_came_from(phone) -> None:
    before = phone.evaluate(VIEW)
    assert phone.evaluate(LAST_IN_VIEW)
    tap_a_place(phone)
    assert phone.evaluate(VIEW) != before
    _, bottom = phone.evaluate(CHOSEN_AT)
    # No button lies over the tile.
    assert bottom <= phone.locator("#choices").bounding_box()["y"] + 1
    phone.get_by_role("button", name="Back", exact=True).tap()
    assert phone.evaluate(VIEW) == before


def test_the_view_stays_after_a_placement_until_there_is_something_else_to_see(phone) -> None:
    tap_a_place(phone)
    phone.route("**/wish", lambda route: None)  # the server hears nothing of the move
    before = phone.evaluate(VIEW)
    phone.locator("#choices .confirms").tap()
    phone.locator("#choices .confirms").wait_for(state="detached")
    phone.wait_for_timeout(500)
    assert phone.evaluate(VIEW) == before
    show = """() => {
      const { board } = document.querySelector("#board svg");
      const [left, top, right, bottom] = board.state.picture.bounds;
      for (const focus of [[left + 100, top + 100], [right - 100, bottom - 100]]) {
        board.show({ ...board.state.picture, focus });
      }
    }"""
    phone.evaluate(show)  # others place tiles far away
    assert phone.evaluate(LAST_IN_VIEW)


@pytest.mark.parametrize("rules", ["official", "course"])
def test_the_end_shows_what_the_points_are_for(on_phone, rules) -> None:
    deck = course(8)
    start = make("carcassonne", seats=2, rules=rules, deck=deck, seed=1)
    phone = on_phone(start, 2 * deck.size - 3, seed=1)
    table = phone.locator("#breakdown table")
    phone.locator("#breakdown summary", has_text="Points so far").wait_for()
    phone.touchscreen.tap(*phone.evaluate(TARGETS)[0])
    phone.locator("#choices .confirms").tap()
    phone.locator("#breakdown summary", has_text="Points").filter(has_not_text="so far").wait_for()
    assert phone.locator("#moves li:visible").count() == deck.size - 1  # what was dealt is in them
    heads = table.locator("thead th[scope=col]").all_inner_texts()
    assert heads == ["Player", "Roads", "Castles", "Fields", "Total"]
    rows = table.locator("tbody tr").all()
    assert [row.locator("th[scope=row]").count() for row in rows] == [1, 1]
    for row in rows:
        *parts, total = row.locator("td").all_inner_texts()
        assert sum(sum(map(int, part.replace("+", " ").split())) for part in parts) == int(total)
    box = table.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["viewport"]["width"]
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


def test_the_whole_board_is_in_view_until_something_is_put_somewhere(on_phone) -> None:
    phone = on_phone(country(), 61, seed=8)
    assert all(each["seen"] for each in phone.evaluate(PLACES))
    phone.locator("#board svg").press("+")
    phone.locator("#board svg").press("+")
    assert not all(each["seen"] for each in phone.evaluate(PLACES))
    phone.locator("#board svg").press("0")
    assert all(each["seen"] for each in phone.evaluate(PLACES))


def test_a_move_without_a_place_is_confirmed_by_a_second_tap(on_phone) -> None:
    phone = on_phone(make("hex", size=3, pie=True), 1, seed=1)
    swap = phone.locator("#choices button", has_text="Swap")
    swap.evaluate("(button) => { button.click(); button.click(); }")  # means one tap
    phone.get_by_text("Confirm – Swap").wait_for()
    assert phone.locator("#moves li").count() == 1
    swap.tap()
    phone.locator("#moves li").nth(1).wait_for()


def test_the_button_that_confirms_a_move_says_what_it_does(on_phone) -> None:
    phone = on_phone(make("penguins", "full-hexa:4", seats=2, penguins=1, seed=1), 0, seed=1)
    phone.touchscreen.tap(*phone.evaluate(TARGETS)[0])
    phone.locator("#choices .confirms", has_text="Place it here").wait_for()


def test_a_piece_is_seen_where_it_goes_before_the_move_is_confirmed(on_phone) -> None:
    phone = on_phone(make("penguins", "full-hexa:4", seats=2, penguins=1, seed=1), 2, seed=1)
    assert phone.locator(".actions").is_visible()
    for _ in range(2):  # the penguin, then a tile
        phone.touchscreen.tap(*phone.evaluate(TARGETS)[0])
    phone.locator("#choices .confirms", has_text="Slide here").wait_for()
    assert phone.locator(".marks .moved").count() == 1
    assert "confirm" in phone.locator("#task").inner_text()
    assert not phone.locator(".actions").is_visible()  # no button is near the one that confirms


def test_who_holds_what_is_told_by_a_tap_by_a_key_and_in_colors(phone) -> None:
    answer = phone.locator("#answer")
    middle = """() => {
      const { board } = document.querySelector("#board svg");
      const { left, right, top, bottom } = document.getElementById("board").getBoundingClientRect();
      return board.state.regions.held
        .map(({ cover: [{ x, y }] }) => board.camera.toWindow([x + 8, y + 4]))
        .find(([x, y]) => x > left && x < right && y > top && y < bottom);
    }"""
    phone.touchscreen.tap(*phone.evaluate(middle))
    phone.locator(".regions .asked").wait_for(state="attached")
    assert answer.inner_text().startswith(("This", "Nobody", "Blue", "Red"))
    phone.locator("#board svg").press("w")
    assert " holds this " in answer.inner_text()
    first = answer.inner_text()
    for _ in range(8):
        phone.locator("#board svg").press("w")
    assert answer.inner_text() != first
    assert phone.locator(".regions .held").count() == 0
    open_menu(phone)
    phone.get_by_role("button", name="Who holds what").tap()
    held = phone.locator(".regions .held")
    assert held.count() > 0
    colors = {held.nth(each).get_attribute("color") for each in range(held.count())}
    assert len(colors) == 2
