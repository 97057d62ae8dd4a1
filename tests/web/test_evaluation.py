"""The chances to win on the page of a recorded game: the curve, turning points, better moves."""

import msgspec
import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis import analyze_part
from ludograph.errors import InvalidInput
from ludograph.web import evaluations, limits, replays

NUMBER = "20260101-0123456789"

BLUNDER = ["b2", "b1", "a3", "c1", "a2"]
"""The third move, a3, does not answer the intrusion b1; c1 would have won."""


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    path = tmp_path_factory.mktemp("lost") / f"{NUMBER}.jsonl"
    start = make("hex", size=3, pie=False)
    play_match(start, ["random", "connex"], opening=BLUNDER, record=path)
    return path


def test_parts_of_an_evaluation_are_the_whole_game(record, monkeypatch) -> None:
    monkeypatch.setattr(limits, "PART_SECONDS", 0.4)  # two moves in a part
    game = read_record(record)
    total = evaluations.evaluated(game)
    assert total == 6
    parts = [evaluations.part(game, first) for first in range(0, total, 2)]
    assert [each["done"] for each in parts] == [2, 4, 6]
    points = {ply: values for each in parts for ply, values in each["points"]}
    assert sorted(points) == list(range(total + 1))
    assert all(sum(values) == pytest.approx(1.0) for values in points.values())
    assert points[2][0] > 0.9  # black wins, until it plays a3
    assert points[3][0] < 0.1
    assert points[6] == [0.0, 1.0]
    moves = [move for each in parts for move in each["moves"]]
    assert [move["ply"] for move in moves] == list(range(1, 7))
    assert [move["ply"] for move in moves if move["turning"]] == [3]
    assert moves[2]["proven"] == "won"
    assert moves[2]["better"]["line"][0] == "c1"
    assert moves[3]["proven"] == "won"  # white, from then on


def test_the_end_of_a_part_is_judged_by_the_position_behind_it(record) -> None:
    analysis = analyze_part(read_record(record), 0, 3, time=0.05)
    assert len(analysis.moves) == 3
    assert analysis.final is None
    assert analysis.moves[2].after < 0.1


def test_a_game_alone_and_a_move_that_is_not_there_are_not_evaluated(record, tmp_path) -> None:
    path = tmp_path / "alone.jsonl"
    play_match(make("flood", width=3, seats=1), ["greedy"], record=path)
    assert replays.story(read_record(path))["evaluated"] == 0
    for game, first in ((read_record(path), 0), (read_record(record), 6)):
        with pytest.raises(InvalidInput, match="no such move"):
            evaluations.part(game, first)


def test_the_curve_leads_to_the_turning_point_and_to_what_was_better(page, server, record) -> None:
    (server[1].match_manager.path(NUMBER)).parent.mkdir(parents=True, exist_ok=True)
    server[1].match_manager.path(NUMBER).write_bytes(record.read_bytes())
    page.goto(f"/replay/here/{NUMBER}")
    page.wait_for_selector("#evaluation[data-done='6']")
    turning = page.locator("#evaluation .turning")
    assert turning.count() == 1
    assert turning.get_attribute("aria-label").startswith("Move 3: ")
    turning.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#replay[data-shown='3']")
    said = page.locator("#evaluation .better").inner_text()
    assert "with a3. Better: c1" in said
    chances = page.locator("#evaluation .chances")
    assert "wins, whatever" in chances.inner_text()
    page.get_by_role("button", name="Show it").click()
    page.wait_for_selector("#replay[data-shown='2']")
    page.get_by_text("Better than a3: c1.").wait_for()
    assert (
        page.evaluate("document.querySelector('#board svg').board.state.hinted[0].cells.length")
        == 1
    )
    box = page.locator("#evaluation .graph").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + 10)
    page.wait_for_selector("#replay[data-shown='0']")


def test_a_page_reads_parts_that_the_server_makes(server, record, page) -> None:
    server[1].match_manager.path(NUMBER).write_bytes(record.read_bytes())
    answer = page.request.get(f"/replay/here/{NUMBER}/evaluation?first=0")
    assert msgspec.json.decode(answer.body())["total"] == 6
    assert page.request.get(f"/replay/here/{NUMBER}/evaluation?first=6").status == 404
