"""Pages in a browser: games are begun from forms, played by clicks and keys, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludograph import boards, make, play_match, read_record
from ludograph.games.registry import OURS
from ludograph.players import parse_player
from ludograph.web.app import application
from tests.amounts import slow_but
from tests.web.board import (
    ASKED_OR_OVER,
    TARGETS,
    accept,
    begin,
    choose,
    is_over,
    moves,
    open_menu,
    play_on,
)
from tests.web.conftest import served

pytestmark = pytest.mark.slow

SMALL = {
    "amazons": {"board_width": "4", "queens": "1", "player1": "random"},
    "carcassonne": {
        "rules": "course",
        "mode": "FINITE_MEEPLE",
        "deck": "other",
        "deck_other": "course:8",
        "player1": "greedy",
    },
    "flood": {"board": "penrose", "board_width": "3", "colors": "3", "player1": "greedy"},
    "hex": {"board_width": "3", "player1": "random"},
    "penguins": {"board_width": "4", "penguins": "1", "player1": "line"},
}
"""What is chosen in the forms, so that a game is short."""

ASKED = "() => document.querySelector('#board svg').board.state.input.asks"

SMALL_PENGUINS = {"board_width": "3", "penguins": "1", "seed": "1"}


def record_of(page, server):
    """Return the record of the match that a page shows."""
    number = page.locator("#match").get_attribute("data-number")
    server[1].match_manager.match(number).join(300)
    return read_record(Path(server[1].match_manager.records.path(number)))


def told_of(sentence):
    """Return what a sentence tells after the players it names, as pages have it."""
    return sentence.rpartition(")")[2]


@pytest.mark.parametrize("game", slow_but(["hex"], OURS))
def test_each_game_is_begun_from_its_form_played_by_clicks_and_replayed(page, server, game) -> None:
    begin(page, game, seed="1", **SMALL[game])
    play_on(page)
    record = record_of(page, server)
    played = moves(page)
    assert record.end is not None
    after = [(position.copy(), event) for position, event in record.positions() if event]
    assert played == [
        position.game.presentation.label(position, event.move) for position, event in after
    ]
    said = page.locator("#status").inner_text()
    assert "(seat" not in said
    assert ("You win" in said) == (record.end["ranks"] == [1, 2])
    assert (page.locator("#task").inner_text() == "You win!") == (record.end["ranks"] == [1, 2])
    page.get_by_role("link", name="Analyze", exact=True).click()
    page.wait_for_selector(f"#replay[data-shown='{record.plies}']")
    assert page.locator("#status").inner_text().startswith(f"{record.move_count}: ")
    told = page.locator("#status").inner_text()
    told_in_third_person = told.replace("You win", "You wins").replace("You draw", "You draws")
    assert told_of(record.end["sentence"]) in told_in_third_person
    assert ("You win" in told) == (record.end["ranks"] == [1, 2])
    assert "+0.5" not in told  # a win is no half point
    assert page.title().startswith(f"{game.capitalize()}: You – ")  # the one at this browser
    assert "person" not in page.locator("aside").inner_text()
    winners = page.locator(".seats li", has_text="wins")
    assert winners.count() == (record.end["ranks"] in ([1, 2], [2, 1]))
    page.keyboard.press("Home")
    page.wait_for_selector("#replay[data-shown='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#replay[data-shown='1']")
    assert page.url.endswith("#1")
    first = page.locator("#moves li:visible .label").first.inner_text()  # of chance none is listed
    assert page.locator("#moves .now .label").inner_text() == first
    assert first in played[:2]


def test_a_claim_is_chosen_on_the_tile_or_by_its_button_and_confirmed(page, server) -> None:
    begin(page, "carcassonne", **{**SMALL["carcassonne"], "seed": "1"})
    task = page.locator("#task")
    board = page.locator("#board svg").bounding_box()
    page.mouse.click(board["x"] + 5, board["y"] + 5)
    page.get_by_text("No tile lies beside this place. Choose a dashed place.").wait_for()
    assert page.locator(".remains").inner_text().startswith("6 tiles")
    page.mouse.click(*page.evaluate(TARGETS)[0])
    confirm, chosen = page.locator("#choices .confirms"), page.locator("[aria-pressed='true']")
    claims = page.locator("#choices [aria-pressed]")
    assert "without" in confirm.inner_text()
    assert "claim" in task.inner_text()
    turns = page.locator("#choices").get_by_role("button", name="Turn")
    assert ("turn it" in task.inner_text()) == (turns.count() == 1)
    offered = claims.all_inner_texts()
    page.mouse.click(*page.evaluate(TARGETS)[-1])
    on_tile = chosen.inner_text()
    assert on_tile.removeprefix("Claim") in confirm.inner_text()
    assert "confirm" in task.inner_text()
    assert claims.all_inner_texts() == offered
    other = next(each for each in offered if each != on_tile)
    page.get_by_role("button", name=other).press("Enter")  # for keys and screen readers
    assert chosen.inner_text() != on_tile
    assert "confirm" in task.inner_text()
    confirm.click()
    page.wait_for_selector("#moves li:nth-child(2)")
    assert "claims the " in moves(page)[1]
    assert " m" in page.locator("#moves li:nth-child(2) .code").inner_text()


def test_a_game_is_played_by_the_keyboard_alone(page, server) -> None:
    begin(page, "hex", seed="1", **SMALL["hex"])
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "svg":
            break
    for turn in range(20):
        page.wait_for_function(ASKED_OR_OVER, polling=100)
        if is_over(page):
            break
        if turn == 0:
            page.keyboard.press("ArrowLeft")
            assert page.locator("#answer").inner_text() == "a2 (free)"
        else:
            page.keyboard.press("n")
        page.keyboard.press("Enter")
    record = record_of(page, server)
    assert record.end is not None
    assert record.end["end"] == "finished"
    assert moves(page)[0] == "a2"


TRANSFERRED = """() => performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith(".js") || name.endsWith(".css"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)"""
"""Bytes of scripts and styles, as they came."""


def test_a_match_loads_few_scripts_which_its_head_names(page) -> None:
    begin(page, "hex", **SMALL["hex"])
    loaded = page.evaluate(
        """performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
          .filter((path) => path.endsWith(".js"))"""
    )
    named = page.locator("script[src], link[rel='modulepreload']").evaluate_all(
        "all => all.map((each) => new URL(each.src ?? each.href).pathname)"
    )
    assert len(loaded) <= 18
    assert 0 < page.evaluate(TRANSFERRED) <= 80_000
    assert set(loaded) == set(named)


def test_an_illegal_click_says_why_and_a_move_is_taken_back_hinted_at_and_resigned(page) -> None:
    begin(page, "hex", **SMALL["hex"])
    spot = page.evaluate(TARGETS)[0]
    page.mouse.click(*spot)
    page.wait_for_selector("#moves li:nth-child(2)")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    if moves(page)[1] != "swap":
        said = page.locator("#status").inner_text()
        page.mouse.click(*spot)
        page.wait_for_selector(".answer.wrong")
        assert page.locator("#answer").inner_text() == "a1 is taken."
        assert page.locator("#status").inner_text() == said  # what was done is not wiped away
        assert "put a stone" in page.locator("#task").inner_text()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#moves:empty")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint", state="attached")
    assert page.locator("#answer").inner_text().startswith("Hint: ")
    double = "(button) => { button.click(); button.click(); }"
    page.get_by_role("button", name="Resign").evaluate(double)  # means one click
    page.get_by_role("button", name="Resign now?").click()
    page.wait_for_selector("#after:not([hidden])")
    assert "resign" in page.locator("#status").inner_text()
    assert page.locator("#task").inner_text() == "You lose."


def test_three_people_play_by_shared_links_and_others_only_look_on(page, chromium, server) -> None:
    begin(page, "penguins", seats="3", player1="guest", player2="guest", **SMALL_PENGUINS)
    links = page.locator(".invite input")
    others = [chromium.new_page(base_url=server[0]) for _ in range(3)]
    for place in range(2):
        accept(others[place], links.nth(place).input_value())
    watcher = others[2]
    watcher.goto(page.url.partition("?")[0])
    watcher.wait_for_selector(".seats li:nth-child(3)")
    assert watcher.locator("#typed").count() == 0
    players = [page, *others[:2]]
    moved = set()
    for click in range(400):
        asked = [each.evaluate(ASKED) for each in players]
        if is_over(page):
            break
        if True not in asked:
            page.wait_for_timeout(20)  # what was sent is on its way
            continue
        seat = asked.index(True)
        moved.add(seat)
        choose(players[seat], 3 * click)
    assert moved == {0, 1, 2}
    for each in (*players, watcher):
        each.wait_for_selector("#after:not([hidden])")
        assert moves(each) == moves(page)
    for each in others:
        each.close()
    assert record_of(page, server).end is not None


def test_people_ask_each_other_before_a_move_is_taken_back(page, chromium, server) -> None:
    begin(page, "hex", board_width="3", player1="guest", seed="1")
    other = chromium.new_page(base_url=server[0])
    accept(other, page.locator(".invite input").input_value())
    other.wait_for_selector(".seats li")
    choose(page, 1)
    other.wait_for_function(ASKED_OR_OVER, polling=100)
    choose(other)
    page.wait_for_selector("#moves li:nth-child(2)")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    asking, asked = page.locator("#answer"), other.locator("#question")
    page.get_by_role("button", name="Undo").click()
    listed = ", ".join(f"{place}. {move}" for place, move in enumerate(moves(page), 1))
    asked.get_by_text(f"Another person asks to take back {listed}.").wait_for()
    offered = page.locator("#question").get_by_role("button")
    assert offered.all_inner_texts() == ["Withdraw"]
    asked.get_by_role("button", name="Decline").click()
    asking.get_by_text("it was declined").wait_for()
    asked.wait_for(state="hidden")
    assert len(moves(page)) == len(moves(other)) == 2
    assert page.get_by_role("button", name="Hint").count() == 0
    page.locator("#typing summary").click()
    for typed in ("hint", "quit"):
        page.locator("#text").fill(typed)
        page.locator("#text").press("Enter")
        page.locator("#answer.wrong").get_by_text("game between people").wait_for()
    choose(page)
    other.wait_for_function(ASKED_OR_OVER, polling=100)
    other.get_by_role("button", name="Undo").click()
    page.locator("#question").get_by_role("button", name="Accept").wait_for()
    choose(other)  # the question lapses with a move
    page.locator("#question").wait_for(state="hidden")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    page.get_by_role("button", name="Undo").click()
    asked.get_by_text("asks to take back").wait_for()
    other.reload()  # who comes back is asked, too
    asked.get_by_role("button", name="Accept").click()
    for each in (page, other):
        each.wait_for_function("() => document.querySelectorAll('#moves li').length === 2")
    other.get_by_text("Another person takes back 2 moves.").wait_for()
    third = chromium.new_page(base_url=server[0])  # without the key of a seat
    third.goto(page.url.partition("?")[0])
    third.get_by_text("You are watching.").wait_for()
    assert page.get_by_text("You are watching.").count() == 0
    third.close()
    other.close()


def test_clocks_stand_still_until_the_other_person_has_come(page, chromium, server) -> None:
    page.goto("/games/hex")
    page.locator("#player1").select_option("guest")
    page.locator("summary").click()
    page.locator("#clock").fill("9s")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("The clocks begin when everybody is there. Missing: player 2.").wait_for()
    page.wait_for_timeout(1500)
    assert page.locator(".clock").all_inner_texts() == ["9.0 s", "9.0 s"]
    other = chromium.new_page(base_url=server[0])
    accept(other, page.locator(".invite input").input_value())
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    page.wait_for_function("() => document.querySelector('.clock').textContent !== '9.0 s'")
    assert page.locator("#answer").inner_text() == ""
    page.wait_for_selector("#after:not([hidden])")
    assert "timeout" in other.locator("#status").inner_text()
    other.close()


def test_a_match_of_strategies_is_watched_and_a_reader_may_come_later(page) -> None:
    page.goto("/games/flood")
    page.locator("#player0").select_option("greedy")
    page.locator("#player1").select_option("random")
    page.get_by_label("Width", exact=True).fill("4")
    page.locator("summary").click()
    page.locator("#pause").fill("0")
    page.locator("[name='seed']").fill("1")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#after:not([hidden])")
    sentence = page.locator("#status").inner_text()
    page.reload()
    page.wait_for_selector("#after:not([hidden])")
    assert page.locator("#status").inner_text() == sentence
    assert sentence.startswith("Greedy wins")


def test_the_end_stands_at_the_board_with_its_reason_and_what_comes_next(page) -> None:
    page.emulate_media(reduced_motion="reduce")
    begin(page, "flood", board_width="4", player1="human", seed="1")
    for turn in (1, 2):
        page.wait_for_function(ASKED_OR_OVER, polling=100)
        page.locator("#choices button", has_text="Pass").click()
        page.locator("#moves li").nth(turn - 1).wait_for()
    end = page.locator("#after")
    end.wait_for()
    assert "All have passed." in end.inner_text()
    held = page.locator("#totals .total").all_inner_texts()
    assert len(held) == 2
    assert all(text in page.locator("#seats").inner_text() for text in held)
    assert page.locator("#seats .best").count() == page.locator("#totals .best").count() > 0
    board, box = page.locator("#board").bounding_box(), end.bounding_box()
    assert board["y"] < box["y"]
    assert box["y"] + box["height"] <= board["y"] + board["height"]
    end.get_by_role("button", name="Close").click()
    assert not end.is_visible()
    page.reload()
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url("**/match/**")
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    assert moves(page) == []


LAY_ON_A_STONE_AND_AN_EMPTY_CELL = """() => {
  const { board } = document.querySelector("#board svg");
  const { cells, picture } = board.state;
  const pieces = picture.pieces.map(([, x, y]) => `${x}:${y}`);
  const stands = (cell) => pieces.includes(cells.center(cell).join(":"));
  const all = [...Array(cells.size).keys()];
  const own = [all.find(stands), all.find((cell) => !stands(cell))];
  board.lay([{ name: "test", color: "#00f", cells: own, values: [1, 1], texts: ["1", "2"] }]);
  const discs = [...document.querySelectorAll("#board .thoughts circle:not([fill='none'])")];
  const numbers = [...document.querySelectorAll("#board .thoughts text")];
  return own.map((cell, place) => {
    const [x, y] = cells.center(cell);
    const at = numbers[place].parentNode.transform.baseVal.consolidate().matrix;
    const opacity = Number(discs[place].getAttribute("fill-opacity"));
    return { opacity, away: Math.hypot(at.e - x, at.f - y) };
  });
}"""


def test_what_strategies_think_is_laid_over_the_board_and_exports_are_files(page, tmp_path) -> None:
    path = tmp_path / "game.jsonl"
    players = ["mcts:sims=40,connections=off,patterns=off,solver=off,openings=off", "random"]
    play_match(make("hex", size=3, pie=False), players, record=path, thoughts=True)
    page.goto("/")
    page.locator("#file").set_input_files(path)
    page.wait_for_selector("#replay[data-shown]")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#replay[data-shown='1']")
    assert " thinks " in page.locator("#views").inner_text()
    drawn = page.locator("#board .heat path")
    assert drawn.count() == 0
    page.get_by_role("button", name="moves", exact=True).click()
    assert drawn.count() > 1
    page.get_by_role("button", name="moves", exact=True).click()
    assert drawn.count() == 0
    discs = page.evaluate(LAY_ON_A_STONE_AND_AN_EMPTY_CELL)
    assert discs[0]["opacity"] < 0.3 < discs[1]["opacity"]  # the stone is seen through its disc
    assert discs[0]["away"] > 50 > discs[1]["away"]  # and beside its number
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_selector(".hint", state="attached")
    assert "advises: " in page.locator("#answer").inner_text()
    assert page.locator("#status").inner_text().startswith("1: ")
    page.get_by_role("button", name="Solve").click()
    page.locator("#answer", has_text="with best play").wait_for()
    page.get_by_role("button", name="Share").click()
    assert page.get_by_label("Link").input_value() == page.url
    files = {
        "For web pages (SVG)": b"<svg",
        "For messages (GIF)": b"GIF89a",
        "Vector drawing (SVG)": b"<svg",
        "Picture (PNG)": b"\x89PNG",
        "Animation (GIF)": b"GIF89a",
        "Record": path.read_bytes().splitlines()[0],
        "Download": path.read_bytes(),
    }
    for name, begins in files.items():
        with page.expect_download() as kept:
            page.locator("#sharing").get_by_role("link", name=name, exact=True).click()
        assert Path(kept.value.path()).read_bytes().startswith(begins)


def test_a_record_is_dropped_on_the_page(page, tmp_path) -> None:
    path = tmp_path / "<b>game.jsonl"
    result = play_match(make("hex", size=3), ["random", "random"], record=path)
    page.goto("/")
    page.locator("#file").set_input_files(path)
    page.wait_for_selector("#replay[data-shown]")
    assert told_of(result.sentence) in page.locator("#status").inner_text()
    page.goto("/")
    page.locator("#file").set_input_files({"name": "x", "mimeType": "", "buffer": b"<b>no</b>"})
    page.wait_for_selector("#complaint:not([hidden])")
    assert "record" in page.locator("#complaint").inner_text()


def test_a_large_board_is_moved_as_it_was_painted_and_drawn_anew_when_it_rests(page) -> None:
    begin(page, "flood", board_width="40", player1="random")
    view = "document.querySelector('#board svg').getAttribute('viewBox')"
    rests = "() => document.querySelector('#board svg').style.transform === ''"
    before = page.evaluate(view)
    open_menu(page)
    page.get_by_role("button", name="Larger").click()
    page.keyboard.press("Escape")
    page.wait_for_function(rests)
    larger = page.evaluate(view)
    assert larger != before
    box = page.locator("#board svg").bounding_box()
    under = """([x, y]) => {
      const { board } = document.querySelector("#board svg");
      return board.state.cells.at(...board.camera.toBoard(x, y));
    }"""
    grabbed = page.evaluate(under, [box["x"] + 200, box["y"] + 200])
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 150, steps=3)
    page.mouse.up()
    assert page.evaluate(under, [box["x"] + 150, box["y"] + 150]) == grabbed
    page.wait_for_function(rests)
    assert page.evaluate(view) != larger
    assert moves(page) == []  # who drags does not click
    open_menu(page)
    page.get_by_role("button", name="The whole board").click()
    assert page.evaluate(view) == before


def test_a_game_goes_on_when_its_server_is_started_again(chromium, tmp_path) -> None:
    def start():
        return application(tmp_path / "games", str(tmp_path / "store.db"))

    with served(start()) as address:
        page = chromium.new_page(base_url=address)
        page.set_default_timeout(300_000)
        begin(page, "hex", **SMALL["hex"], seed="2")
        choose(page)
        page.wait_for_selector("#moves li:nth-child(2)")
        played = moves(page)[:2]
    with served(start(), int(address.rpartition(":")[2])):
        page.get_by_role("button", name="Continue").click()
        page.wait_for_function(ASKED_OR_OVER, polling=100)
        assert moves(page)[:2] == played
        play_on(page)
        page.goto("/")
        assert page.locator("a[href^='/replay/here/']").count() == 1
        page.close()


def test_who_comes_back_plays_on(page) -> None:
    begin(page, "hex", **SMALL["hex"], seed="2")
    choose(page)
    page.wait_for_selector("#moves li:nth-child(2)")
    played = moves(page)[:2]
    number = page.locator("#match").get_attribute("data-number")
    page.goto("/")
    listed = page.locator("li", has=page.locator(f"a[href^='/match/{number}']"))
    assert listed.locator("strong").inner_text() == "You – random"
    listed.locator("a").click()
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    assert moves(page)[:2] == played
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign now?").click()
    page.wait_for_selector("#after:not([hidden])")
    page.goto("/")
    told = page.locator(f"li[data-number='{number}']").inner_text()
    assert all(part in told for part in ("today", "Random", "you resigned"))


def test_who_is_out_is_told_so_and_looks_on(page, server) -> None:
    start = make("penguins", boards.square(3, 2), penguins=1, fish=[1] * 6)
    players = [parse_player("human", start.game, 2)] * 2
    placed = [start.parse(text) for text in ("0", "4")]
    page.goto(server[1].match_manager.begin(start, players, own=(0,), moves=placed).address)
    page.wait_for_function(ASKED_OR_OVER, polling=100)
    choose(page)
    choose(page, 2)  # to 3, beside which are water and the other penguin
    page.locator("#moves li").nth(2).wait_for()
    told = page.locator("#status").inner_text()
    assert all(part in told for part in ("0 to 3", "+1", "You are out"))
    assert "You are out" in page.locator("#task").inner_text()
    assert "no penguin" in page.locator("#seats li").first.inner_text()
    assert "no penguin" not in page.locator("#seats li").last.inner_text()


def test_pictures_are_dark_for_who_prefers_it(page) -> None:
    corner = """async () => {
      const picture = new Image();
      picture.src = "/games/hex/picture.svg";
      await picture.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 8, height: 8 });
      const context = canvas.getContext("2d");
      context.drawImage(picture, 0, 0, 360, 360);
      return [...context.getImageData(2, 2, 1, 1).data];
    }"""
    page.goto("/")
    light = page.evaluate(corner)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(corner)
    assert min(light[:3]) > 200
    assert max(dark[:3]) < 60


def test_the_names_of_cells_are_switched_on_by_a_key(page) -> None:
    begin(page, "penguins", seed="1", board_width="4")
    assert page.locator(".labels .name").count() == 0
    page.locator("#board svg").press("c")
    names = page.locator(".labels .name").all_text_contents()
    assert names == [str(tile) for tile in range(len(names))]
    assert len(names) > 10
    assert page.locator("[data-tool=names]").get_attribute("aria-pressed") == "true"


def test_a_sentence_begins_with_the_name_of_a_file_as_it_is_written(page) -> None:
    page.goto("/")
    said = page.evaluate("""async () => {
      const { spoken } = await import("/static/sentences.js");
      const seats = [{ name: "anna.py" }, { name: "bela.c “bela”" }, { name: "greedy" }];
      return seats.map(({ name }, seat) => spoken(`${name} (seat ${seat}) wins.`, seats));
    }""")
    assert said == ["anna.py wins.", "bela.c “bela” wins.", "Greedy wins."]


def test_points_are_said_once_and_with_a_name_if_another_player_gets_them(page) -> None:
    page.goto("/")
    said = page.evaluate("""async () => {
      const { gained } = await import("/static/sentences.js");
      const names = ["You", "Ann"];
      return [
        gained([0, 0], [4, 0], 0, names, "places the tile, closing the castle (4 points)"),
        gained([0, 0], [4, 0], 0, names, "places the tile"),
        gained([0, 0], [0, 3], 0, names, "places the tile, closing the road (3 points)"),
      ];
    }""")
    assert said == ["", " +4.", " +3 for Ann."]
