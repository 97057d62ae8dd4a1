"""Pages on the screens of laptops: all buttons are in sight, and they stay where they are."""

import pytest

from ludograph import make, play_match
from ludograph.games.search_players import RandomMoves
from ludograph.players import parse_player
from tests.web.board import ASKED_OR_OVER, TARGETS, accept, begin, choose
from tests.web.conftest import NUMBER, record_path

pytestmark = pytest.mark.slow

LAPTOPS = [(1280, 800), (1366, 768)]

OUT_OF_SIGHT = """() => [...document.querySelectorAll(".play :is(button, a.button, summary)")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => !each.closest(".panel-middle, .choices .add") || each.closest(".words"))
  .filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top < 0 || bottom > innerHeight || right > innerWidth || !each.contains(hit);
  })
  .map((each) => each.textContent)"""
"""Texts of buttons that are cut off or covered; the middle of the panel, which scrolls, may have
some, but not among what is said of a move; buttons for screen readers are not seen."""

PLACES = """() => [...document.querySelectorAll(".bar button")]
  .map((each) => { const { x, y } = each.getBoundingClientRect(); return [x, y]; })"""
"""Where the buttons of the foot are that are always there."""

ROLLS = "document.documentElement.scrollHeight > innerHeight"

VIEW = "document.querySelector('#board svg').getAttribute('viewBox')"

IN_HAND = "document.querySelector('#board svg').board.state.input.inHand"

PUT = """() => {
  const { input } = document.querySelector("#board svg").board.state;
  return input.parts[input.chosen[1]].name;
}"""
"""How the tile lies that was put somewhere."""


def country(plies: int, seed: int):
    """Return a start of Carcassonne with meeples, and random moves from it."""
    start = make("carcassonne", seats=2, rules="official", mode="finite", meeples=7, seed=seed)
    player, position, moves = RandomMoves(seed), start.copy(), []
    while position.ply < plies:
        moves.append(player.choose(position))
        position.push(moves[-1])
    return start, moves


@pytest.fixture(params=LAPTOPS, ids=str)
def laptop(request, page, server):
    """A page on the screen of a laptop; its games end with the test, as a server plays few."""
    width, height = request.param
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce")
    yield page
    for match in server[1].match_manager.running():
        match.stop()


def go_on(page, server, start, moves, other="human") -> None:
    """Open a game after some moves; a person is to move."""
    players = [parse_player(name, start.game, 2) for name in ("human", other)]
    own = (0, 1) if other == "human" else (0,)
    page.goto(server[1].match_manager.begin(start, players, own=own, moves=moves).address)
    page.wait_for_function(ASKED_OR_OVER, polling=50)


def put_where_most_can_be_claimed(page) -> int:
    """Put the tile where it has the most parts to claim; return how many these are."""
    found = []
    for place in page.evaluate(TARGETS):
        page.mouse.click(*place)
        found.append((page.locator("#choices .add").count(), place))
        page.keyboard.press("Escape")
    most, place = max(found)
    page.mouse.click(*place)
    return most


def test_all_claims_of_a_tile_are_in_sight_and_move_nothing(laptop, server) -> None:
    go_on(laptop, server, *country(9, seed=2))
    places, view = laptop.evaluate(PLACES), laptop.evaluate(VIEW)
    assert laptop.evaluate(OUT_OF_SIGHT) == []
    assert put_where_most_can_be_claimed(laptop) >= 7
    assert laptop.evaluate(OUT_OF_SIGHT) == []
    near = laptop.evaluate(VIEW)
    assert float(near.split()[2]) < float(view.split()[2]) / 2  # the tile is seen large
    claims = laptop.locator("#choices .add")
    confirm, back = laptop.locator("#choices .confirms"), laptop.locator("#choices .back")
    assert "primary" not in confirm.get_attribute("class")  # no choice is the main one
    before = back.bounding_box()
    laptop.mouse.click(*laptop.evaluate(TARGETS)[-1])
    assert claims.and_(laptop.locator("[aria-pressed='true']")).count() == 1
    assert "primary" in confirm.get_attribute("class")
    assert back.bounding_box() == before
    assert laptop.evaluate(OUT_OF_SIGHT) == []
    assert laptop.evaluate(PLACES) == places
    assert laptop.evaluate(VIEW) == near
    assert not laptop.evaluate(ROLLS)
    confirm.click()
    laptop.locator("#moves li:nth-child(10)").wait_for(state="attached")
    laptop.wait_for_function(ASKED_OR_OVER, polling=50)
    assert laptop.evaluate(PLACES) == places


def test_the_scale_of_a_growing_board_stays_in_the_first_turns(laptop, server) -> None:
    start, moves = country(7, seed=1)
    views = []
    for plies in (1, 3, 5, 7):
        go_on(laptop, server, start, moves[:plies])
        views.append(laptop.evaluate(VIEW))
    assert len(set(views)) == 1


def test_the_tile_in_hand_is_turned_by_a_button_and_a_key_and_lies_as_it_was_turned(
    laptop, server
) -> None:
    go_on(laptop, server, *country(1, seed=3))
    assert "or turn it" in laptop.locator("#task").inner_text()
    first, picture = laptop.evaluate(IN_HAND), laptop.locator("#hand").inner_html()
    laptop.locator("#hand").click()
    second = laptop.evaluate(IN_HAND)
    assert second != first
    assert laptop.locator("#hand").inner_html() != picture
    laptop.keyboard.press("r")
    assert laptop.evaluate(IN_HAND) not in (first, second)
    for place in laptop.evaluate(TARGETS):
        wanted = laptop.evaluate(IN_HAND)
        laptop.mouse.click(*place)
        ways = laptop.evaluate("""() => {
          const { input } = document.querySelector("#board svg").board.state;
          return input.ways().map((each) => input.parts[each].name);
        }""")
        assert laptop.evaluate(PUT) == (wanted if wanted in ways else ways[0])
        laptop.keyboard.press("Escape")


def test_buttons_of_hex_are_in_sight_and_stay_through_turns(laptop) -> None:
    begin(laptop, "hex", board_width="7", player1="random", seed="1")
    places = laptop.evaluate(PLACES)
    for turn in (1, 2, 3):
        assert laptop.evaluate(OUT_OF_SIGHT) == []
        assert laptop.evaluate(PLACES) == places
        choose(laptop, 7 * turn)
        laptop.locator(f"#moves li:nth-child({2 * turn})").wait_for()
        laptop.wait_for_function(ASKED_OR_OVER, polling=50)
    assert laptop.evaluate("document.getElementById('moves').clientHeight") > 100
    laptop.mouse.click(
        *laptop.evaluate("""() => {
      const { board } = document.querySelector("#board svg");
      const [[, x, y]] = board.state.picture.pieces;
      return board.camera.toWindow([x, y]);
    }""")
    )
    laptop.locator("#answer.wrong").wait_for()  # a stone lies there
    assert laptop.evaluate(PLACES) == places
    laptop.get_by_role("button", name="Resign").click()
    laptop.wait_for_timeout(600)  # a double click means one
    laptop.get_by_role("button", name="Resign now?").click()
    laptop.locator("#after").wait_for()
    assert laptop.evaluate(OUT_OF_SIGHT) == []


def test_what_a_friend_asks_for_pushes_no_button_out_of_sight(laptop, chromium, server) -> None:
    begin(laptop, "hex", board_width="5", player1="guest", pie="false")
    laptop.locator("#own-name").fill("Ann")
    laptop.get_by_role("button", name="Save").click()
    laptop.get_by_text("Your name: Ann").wait_for()
    assert not laptop.locator("#own-name").is_visible()
    friend = chromium.new_page(base_url=server[0])
    accept(friend, laptop.locator(".invite input").input_value())
    laptop.wait_for_function(ASKED_OR_OVER, polling=100)
    for place, each in enumerate((laptop, friend, laptop)):
        each.wait_for_function(ASKED_OR_OVER, polling=100)
        choose(each, 7 + place)
        each.locator("#moves li").nth(place).wait_for()
    friend.wait_for_function(ASKED_OR_OVER, polling=100)
    places = laptop.evaluate(PLACES)
    friend.get_by_role("button", name="Undo").click()
    laptop.get_by_role("button", name="Accept").wait_for()
    assert laptop.evaluate(OUT_OF_SIGHT) == []
    assert laptop.evaluate(PLACES) == places
    laptop.get_by_role("button", name="Decline").click()
    laptop.get_by_role("button", name="Accept").wait_for(state="hidden")
    assert laptop.evaluate(PLACES) == places
    friend.close()


def test_a_mistake_its_better_line_and_all_buttons_of_a_replay_are_in_sight(laptop, server) -> None:
    path = record_path(server)
    if not path.exists():
        play_match(make("hex", size=4, pie=False), ["random", "random"], seed=1, record=path)
    laptop.goto(f"/replay/here/{NUMBER}#0")
    laptop.wait_for_selector("#replay[data-shown='0']")
    laptop.locator("#evaluation .tally .judged").first.wait_for(state="attached")
    laptop.locator("#evaluation .progress", has_text="Evaluating").wait_for(state="hidden")
    buttons = laptop.locator("#tries button, #ask button, .steps button")
    places = [each.bounding_box() for each in buttons.all()]
    laptop.keyboard.press("n")
    laptop.locator("#evaluation .loss .line-move").first.wait_for()
    assert laptop.evaluate(OUT_OF_SIGHT) == []
    assert [each.bounding_box() for each in buttons.all()] == places
    assert not laptop.evaluate(ROLLS)
    laptop.locator("#evaluation .loss .line-move").first.click()
    laptop.get_by_role("button", name="Back to the game").wait_for()
    assert laptop.evaluate(OUT_OF_SIGHT) == []


def test_both_graphs_of_a_replay_are_in_sight_beside_the_table_of_points(laptop, server) -> None:
    path = record_path(server).with_name(f"{NUMBER[:-1]}8.jsonl")
    play_match(make("carcassonne"), ["greedy", "random"], seed=3, record=path)
    laptop.goto(f"/replay/here/{path.stem}#20")
    laptop.locator("#evaluation .progress").wait_for()
    if laptop.locator("#breakdown[open]").count() == 0:
        laptop.locator("#breakdown summary").click()
    panel, graph = (laptop.locator(each).bounding_box() for each in (".panel-middle", "#graph svg"))
    assert graph["y"] + graph["height"] < panel["y"] + panel["height"]


def test_tools_of_the_board_editor_are_above_the_drawing_and_in_sight(laptop) -> None:
    laptop.goto("/boards/new")
    laptop.get_by_role("button", name="Clear").click()  # an example stands there
    canvas = laptop.locator("#canvas").bounding_box()
    assert canvas["y"] + canvas["height"] <= laptop.viewport_size["height"]
    for each in laptop.locator(".draw button, #what").all():
        box = each.bounding_box()
        assert box["y"] + box["height"] <= laptop.viewport_size["height"]
    corners = [(0.1, 0.1), (0.9, 0.9)]
    for x, y in corners:
        laptop.mouse.click(canvas["x"] + x * canvas["width"], canvas["y"] + y * canvas["height"])
    drawn = [each.bounding_box() for each in laptop.locator(".vertex circle").all()]
    for (x, y), box in zip(corners, drawn, strict=True):  # a vertex is where the click was
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        wanted = canvas["x"] + x * canvas["width"], canvas["y"] + y * canvas["height"]
        assert middle == pytest.approx(wanted, abs=2)


GAMES = """(sentences) => {
  const item = (said) => `<li><a href="#"><strong>anna.py – bela.py</strong>
    <span class="faint">game 1</span><span class="end">${said}</span></a></li>`;
  document.getElementById("main").innerHTML = `<ul class="list">${sentences.map(item).join("")}`;
  const box = (each) => each.getBoundingClientRect();
  const padding = parseFloat(getComputedStyle(document.querySelector(".list a")).paddingLeft);
  return [...document.querySelectorAll(".list a")].map((link) => {
    const [outer, end] = [box(link), box(link.querySelector(".end"))];
    return [end.left - outer.left - padding, outer.right - end.right - padding].map(Math.round);
  });
}"""
"""How far the results of games, in a list, are from its left and its right edge."""


def test_a_result_on_a_line_of_its_own_begins_at_the_left_and_a_short_one_ends_at_the_right(
    page,
) -> None:
    page.set_viewport_size({"width": 1100, "height": 800})
    page.goto("/tournaments")
    short, long = page.evaluate(GAMES, ["bela.py wins.", "bela.py wins, " + "and wins " * 11])
    assert short[0] > 300
    assert short[1] == 0
    assert long[0] == 0
    assert long[1] > 20
