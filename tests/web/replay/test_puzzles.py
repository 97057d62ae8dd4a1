"""Puzzles in a browser: the one winning move is found on the board, or shown."""

import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis.puzzles import find_puzzles
from tests.web.conftest import record_path

TO_WINDOW = """(cell) => {
  const { board } = document.querySelector("#board svg");
  return board.camera.toWindow(board.state.cells.center(cell));
}"""


@pytest.fixture(scope="module")
def record(server):
    """A game of random moves with several puzzles, among those of the server."""
    path = record_path(server)
    play_match(make("hex", size=3, pie=False), ["random", "random"], seed=2, record=path)
    alone = path.with_name("20260101-0123456780.jsonl")
    play_match(make("flood", width=3, seats=1), ["greedy"], record=alone)
    return read_record(path)


def cell_of(position, move):
    return min(min(part) for part in position.game.interaction.pointed(position, move))


@pytest.mark.slow
def test_a_puzzle_is_solved_on_the_board_and_the_next_one_is_shown(page, record) -> None:
    puzzles = find_puzzles(record, 60)
    page.goto("/")
    page.get_by_role("link", name="Puzzles").click()
    assert page.locator(".list li").count() == 1  # nothing is to be found in a game alone
    page.locator(".list a").click()
    page.wait_for_selector("#puzzle[data-ready]")
    task, said = page.locator("#task"), page.locator("#status")
    assert task.inner_text().startswith(f"Puzzle 1 of {len(puzzles)}: ")
    first = puzzles[0]
    wrong = next(move for move in first.position.legal_moves() if move != first.move)
    page.mouse.click(*page.evaluate(TO_WINDOW, cell_of(first.position, wrong)))
    said.get_by_text("does not win. Try again.").wait_for()
    page.mouse.click(*page.evaluate(TO_WINDOW, cell_of(first.position, first.move)))
    said.get_by_text(f"Right: {first.line[0]}.").wait_for()
    assert page.get_by_role("button", name="Answer").is_disabled()
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector("#puzzle[data-shown='2']")
    page.get_by_role("button", name="Answer").click()
    said.get_by_text(f"The answer is {puzzles[1].line[0]}.").wait_for()
    page.wait_for_selector("#board .hint", state="attached")
    assert page.url.endswith("#2")
    page.get_by_role("link", name="The game from here").click()
    page.wait_for_selector(f"#replay[data-shown='{puzzles[1].ply}']")


@pytest.mark.slow
def test_a_game_without_puzzles_says_so(page, record) -> None:
    page.goto("/puzzles/here/20260101-0123456780")
    page.get_by_text("puzzles are made of games of two that can be solved").wait_for()
    page.goto("/puzzles/here/20990101-0123456789")
    assert "Traceback" not in page.content()
    assert page.request.get("/puzzles/here/20990101-0123456789").status == 404
