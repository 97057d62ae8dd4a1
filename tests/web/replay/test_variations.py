"""Variations: moves tried on the page of a recorded game form a tree, which the address keeps."""

from types import SimpleNamespace
from urllib.parse import quote

import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis import evaluation
from ludograph.analysis.advice import position_at
from ludograph.analysis.evaluation import chances
from ludograph.errors import LudographError
from ludograph.web.positions.move_input import shown_line
from ludograph.web.replay.replays import LONGEST, ask, outcomes, variation_data
from tests.web.board import TARGETS
from tests.web.conftest import NUMBER, record_path

pytestmark = pytest.mark.slow

DEALT = "20260101-0123456780"

STONES = "() => document.querySelector('#board svg').board.state.picture.pieces.length"

STONE = """() => {
  const { board } = document.querySelector("#board svg");
  const [[, x, y]] = board.state.picture.pieces;
  return board.camera.toWindow([x, y]);
}"""
"""Where on the page the first stone is."""


def wait_for_stones(page, count):
    wanted = STONES.replace("() =>", "(count) =>") + " === count"
    page.wait_for_function(wanted, arg=count, polling=100)


@pytest.fixture(scope="module")
def record(server):
    path = record_path(server)
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
    assert [each["move"] for each in found["line"]] == moves
    assert [each["seat"] for each in found["line"]] == [0, 1]
    assert [len(each["way"]) for each in found["line"]] == [1, 1]
    for step, wrong in ((0, ("z9",)), (0, (moves[0],) * 2), (99, ()), (0, moves * LONGEST)):
        with pytest.raises(LudographError):
            variation_data(record, step, wrong)


@pytest.fixture(scope="module")
def dealt(server):
    """A game in which chance deals before each move."""
    path = record_path(server).with_stem(DEALT)
    start = make("carcassonne", deck="course:8", rules="course")
    play_match(start, ["random", "random"], seed=2, record=path)
    return read_record(path)


def test_outcomes_of_chance_can_be_told_apart() -> None:
    found = outcomes(make("carcassonne", rules="official", seats=2))
    assert len(found) > 10
    assert len({each["text"] for each in found}) == len(found)


def test_what_chance_brings_is_chosen_or_drawn_with_a_seed(dealt) -> None:
    found = variation_data(dealt, 0, ())
    assert found["ask"] is None
    assert sum(each["share"] for each in found["outcomes"]) == pytest.approx(1.0)
    shares = [each["share"] for each in found["outcomes"]]
    assert shares == sorted(shares, reverse=True)
    chosen = variation_data(dealt, 0, [found["outcomes"][-1]["move"]])
    assert chosen["ask"]
    assert chosen["outcomes"] == []
    drawn = [variation_data(dealt, 0, (), seed)["line"] for seed in range(20)]
    assert drawn == [variation_data(dealt, 0, (), seed)["line"] for seed in range(20)]
    assert all(each["seat"] is None for (each,) in drawn)
    assert {each["move"] for (each,) in drawn} == {each["move"] for each in found["outcomes"]}
    with pytest.raises(LudographError, match="chance"):
        variation_data(dealt, 0, [drawn[0][0]["move"]], 1)


def test_a_position_behind_tried_moves_is_evaluated(record) -> None:
    position = position_at(record, 0, ["b2", "a1"])
    advice = ask(position, "mcts")
    assert advice["chance"] in ("wins", "loses") or advice["chance"].endswith(" %")
    assert [each["seat"] for each in advice["line"]][:1] == [0]
    with pytest.raises(LudographError):
        position_at(record, 0, ["b2", "b2"])


def test_the_value_before_chance_is_the_mean_over_all_that_it_can_bring(monkeypatch) -> None:
    position = make("carcassonne", deck="course:8", rules="course")
    shares = dict(chances(position))
    judged = []

    def judge(_, after, seconds):
        judged.append(seconds)
        return SimpleNamespace(value=float(len(judged)))

    monkeypatch.setattr(evaluation, "judge", judge)
    seat, mean = evaluation.judge_chance(None, position, 1.5)
    assert seat == 0
    assert mean == pytest.approx(sum(n * share for n, share in enumerate(shares.values(), 1)))
    assert sum(judged) == pytest.approx(1.5)


def test_the_first_move_of_a_line_can_be_shown_on_the_board() -> None:
    position = make("carcassonne", deck="course:8", rules="course")
    deal = position.legal_moves()[0]
    assert "places" not in shown_line(position, [deal])[0]  # chance puts nothing anywhere
    position.push(deal)
    (found,) = shown_line(position, position.legal_moves()[:1])
    assert found["cells"] == []
    assert found["places"]["parts"]
    position = make("hex", size=3)
    first, second = shown_line(position, ["b2", "a1"])
    assert first["cells"] == [position.parse("b2")]
    assert "cells" not in second


def test_a_variation_goes_through_chance_and_is_evaluated_on_its_page(page, dealt) -> None:
    page.goto(f"/replay/here/{DEALT}#0")
    page.wait_for_selector("#replay[data-shown='0']")
    page.get_by_role("button", name="Try moves").click()
    tools = page.locator("#tries .chance")
    tools.wait_for()
    assert tools.evaluate("each => each.scrollWidth <= each.parentElement.clientWidth")
    page.locator("#evaluation .chances", has_text="should end").wait_for()  # it has a value, too
    page.get_by_role("button", name="Draw").click()
    page.locator("#variations ul button").first.wait_for()
    assert page.locator("#tries .chance").count() == 0
    assert "is to move" in page.locator("#status").inner_text()
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator("#answer", has_text="advises: place the tile").wait_for()
    # A search that counts points has no chance to win that could stand behind the move.
    assert page.locator("#variations ul button .faint").count() == 0
    page.locator("path.hint").first.wait_for(state="attached")  # it is on no cell
    page.mouse.click(*page.evaluate(TARGETS)[0])
    page.locator("#choices .confirms").click()
    page.get_by_label("Outcome of chance").select_option(index=0)
    page.get_by_role("button", name="Choose").click()
    page.locator("#variations ul button").nth(2).wait_for()


def test_a_page_numbers_the_moves_of_players_and_not_those_of_chance(page, dealt) -> None:
    page.goto(f"/replay/here/{DEALT}#2")
    page.wait_for_selector("#replay[data-shown='2']")
    assert page.locator("#status").inner_text().startswith("1: ")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#replay[data-shown='3']")
    assert page.locator("#status").inner_text().startswith("Chance: ")
    numbers = [text for text in page.locator("#moves .ply").all_inner_texts() if text]
    assert numbers == [f"{number}." for number in range(1, dealt.move_count + 1)]
    ticks = page.locator("#evaluation .axis-step")
    ticks.first.wait_for(state="attached", timeout=40000)
    assert int(ticks.last.inner_text()) == dealt.move_count  # so few that each has its number
    after = position_at(dealt, 3)
    (first, *_) = after.legal_moves()
    page.goto(f"/replay/here/{DEALT}#3/{quote(after.text(first), safe='')}")
    page.locator("#tries[data-shown*='/']").wait_for(state="attached", timeout=40000)
    assert "After move 1 and chance:\n2." in page.locator("#variations").inner_text()
    assert page.locator("#status").inner_text().startswith("A variation. 2: ")


def test_moves_that_are_tried_form_a_tree_which_the_address_keeps(page, record) -> None:
    page.goto(f"/replay/here/{NUMBER}#1")
    page.wait_for_selector("#replay[data-shown='1']")
    tree = page.locator("#variations")
    page.get_by_role("button", name="Try moves").click()
    page.wait_for_selector("#tries[data-shown='1']")
    page.mouse.click(*page.evaluate(TARGETS)[0])
    tree.locator("ul button").first.wait_for()
    wait_for_stones(page, 2)
    page.locator(".chances", has_text="win").wait_for()  # the variation has its own value
    assert page.locator("#evaluation.elsewhere").count() == 1
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
    shown = page.locator("#tries").get_attribute("data-shown")
    page.reload()
    page.wait_for_selector(f"#tries[data-shown='{shown}']")
    wait_for_stones(page, 3)
    page.wait_for_function(
        "() => document.querySelectorAll('#variations .line-move .chip').length === 3"
    )
    assert sorted(tree.locator("ul button").all_inner_texts()) == sorted(texts)
    page.get_by_role("button", name="Back to the game").click()
    wait_for_stones(page, 1)
    assert tree.locator("ul button").count() == 3
    page.keyboard.press("Home")
    page.wait_for_selector("#replay[data-shown='0']")


def test_a_click_on_a_free_cell_begins_a_variation_and_one_on_a_stone_does_not(
    page, record
) -> None:
    page.goto(f"/replay/here/{NUMBER}#1")
    page.wait_for_selector("#replay[data-shown='1']")
    page.get_by_role("button", name="Try moves").click()
    page.wait_for_selector("#tries[data-shown='1']")
    free = page.evaluate(TARGETS)[0]
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_selector("#tries[data-shown='']")
    with page.expect_response("**/variation?*"):
        page.mouse.click(*page.evaluate(STONE))
    page.wait_for_selector("#tries[data-shown='']")
    page.get_by_role("button", name="Try moves").wait_for()
    page.mouse.click(*free)
    page.locator("#variations .line-move[aria-current]").wait_for()
    wait_for_stones(page, 2)


def test_an_address_with_an_illegal_move_shows_the_game_and_says_why(page, record) -> None:
    page.goto(f"/replay/here/{NUMBER}#1/z9")
    page.locator("#answer:not(:empty)").wait_for()
    assert page.evaluate(STONES) == 1
