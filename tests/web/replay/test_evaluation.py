"""The chances to win on the page of a recorded game: the curve, turning points, better moves."""

import dataclasses
import re
from types import SimpleNamespace

import msgspec
import pytest

from ludograph import make, play_match, read_record
from ludograph.analysis import analyze_part, evaluation
from ludograph.analysis.kept_values import kept_values
from ludograph.analysis.measure import measure_of, unmix, usual_spread
from ludograph.errors import InvalidInput
from ludograph.games.analysis_info import AnalysisInfo
from ludograph.web.replay import evaluations, replays
from ludograph.web.server import limits
from tests.web.conftest import NUMBER, record_path

pytestmark = pytest.mark.slow

BLUNDER = ["b2", "b1", "a3", "c1", "a2"]
"""The third move, a3, does not answer the intrusion b1; c1 would have won."""


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    path = tmp_path_factory.mktemp("lost") / f"{NUMBER}.jsonl"
    start = make("hex", size=3, pie=False)
    play_match(start, ["random", "connex"], opening=BLUNDER, record=path)
    first, rest = path.read_bytes().split(b"\n", 1)
    header = msgspec.json.decode(first)
    del header["opening"]  # as if the players had chosen these moves
    path.write_bytes(msgspec.json.encode(header) + b"\n" + rest)
    return path


def test_moves_of_an_opening_are_not_judged(record) -> None:
    game = read_record(record)
    opened = dataclasses.replace(game, header=game.header | {"opening": BLUNDER})
    for given, marks in ((game, ["??"]), (opened, [])):
        moves = evaluations.part(given, 0)["moves"]
        assert [move["mark"] for move in moves if move["mark"]] == marks
        assert any(move["better"] for move in moves) == bool(marks)


def test_parts_of_an_evaluation_are_the_whole_game(record, monkeypatch) -> None:
    monkeypatch.setattr(limits, "PART_SECONDS", 0.4)  # two moves in a part
    game = read_record(record)
    total = evaluations.evaluated(game)
    assert total == 6
    parts = [evaluations.part(game, first) for first in range(0, total, 2)]
    assert [each["done"] for each in parts] == [2, 4, 6]
    assert all(each["seconds"] == [0.2, 1.0] for each in parts)
    points = {ply: values for each in parts for ply, values in each["points"]}
    assert sorted(points) == list(range(total + 1))
    assert all(sum(values) == pytest.approx(1.0) for values in points.values())
    assert points[2][0] > 0.9  # black wins, until it plays a3
    assert points[3][0] < 0.1
    assert points[6] == [0.0, 1.0]
    moves = [move for each in parts for move in each["moves"]]
    assert [move["ply"] for move in moves] == list(range(1, 7))
    assert [(move["ply"], move["mark"]) for move in moves if move["mark"]] == [(3, "??")]
    assert moves[2]["proven"] == "won"
    assert moves[2]["better"]
    better = moves[2]["line"][0]
    assert (better["move"], better["seat"], better["color"]) == ("c1", 0, "black")
    assert better["announcement"] == "plays c1"
    assert moves[3]["proven"] == "won"  # white, from then on


@pytest.fixture(scope="module")
def thoughtful(tmp_path_factory):
    """A record with the thoughts of one player; those of the other are missing."""
    path = tmp_path_factory.mktemp("kept") / f"{NUMBER}.jsonl"
    start = make("hex", size=3, pie=False)
    players = ["mcts:sims=50", "random"]
    play_match(start, players, opening=["c1", "c2"], record=path, thoughts=True)
    return path


def with_values(record, values):
    """Return a record whose players kept these values; None: none."""
    moved = iter(values)
    events = [
        dataclasses.replace(
            event, thoughts=None if value is None else AnalysisInfo(value, "win", proven=value == 1)
        )
        for event, value in ((event, next(moved)) for event in record.events)
    ]
    return dataclasses.replace(record, events=events)


def test_one_search_judges_all_positions_and_thoughts_stand_beside_it(record) -> None:
    game = with_values(read_record(record), [0.1, 0.9, None, 0.2, 0.9, 1.0])
    found = evaluations.part(game, 0)
    assert found["unit"] == "win"
    assert found["judge"] == "mcts"
    assert dict(found["points"]) == dict(evaluations.part(read_record(record), 0)["points"])
    assert found["thoughts"] == [
        (0, [0.1, 0.9]),
        (1, [0.1, 0.9]),
        (3, [0.8, 0.2]),
        (4, [0.9, 0.1]),
        (5, [0.0, 1.0]),
    ]
    assert evaluations.part(read_record(record), 0)["thoughts"] == []


def test_a_proven_value_lies_at_the_top_or_at_the_bottom(record) -> None:
    found = evaluations.part(read_record(record), 0)
    points = dict(found["points"])
    proven = [move for move in found["moves"] if move["proven"]]
    assert len(proven) > 2
    for move in proven:
        assert points[move["ply"] - 1][move["seat"]] == float(move["proven"] == "won")


class FakeTree:
    """A tree with the settings of a search."""

    def __init__(self, weight: float, cap: float) -> None:
        self.settings = SimpleNamespace(margin_weight=weight, margin_cap=cap)


@pytest.mark.parametrize(
    ("weight", "cap", "seats", "unit", "best", "middle"),
    [
        (0.2, 60.0, 2, "win", 1.0, 0.5),
        (0.2, 60.0, 3, "place", 1.0, 2.0),
        (0.9, 300.0, 3, "points", 300.0, 0.0),
        (1.0, 1.0, 2, "win", 1.0, 0.5),
    ],
)
def test_a_value_has_one_unit(weight, cap, seats, unit, best, middle) -> None:
    tree = FakeTree(weight, cap)
    search = SimpleNamespace(trees=[tree], spare=None)
    unmix(search)
    assert tree.settings.margin_weight in (0.0, 1.0)
    found = measure_of(search, seats)
    assert (found.unit, found.read(1.0), found.read(0.5)) == (unit, best, middle)


def test_a_game_whose_search_has_other_moves_is_judged_by_the_plain_one() -> None:
    assert evaluation.searcher(make("amazons"), 0).name.startswith("plain mcts")


def test_a_variation_has_a_value_of_its_own(record) -> None:
    game = read_record(record)
    found = evaluations.variation_value(game, 2, ["c1"])  # the move that would have won
    assert (found["proven"], found["values"]) == ("lost", [1.0, 0.0])
    assert found["line"][0]["seat"] == 1
    assert (found["judge"], found["seconds"]) == ("mcts", 0.5)
    assert evaluations.variation_value(game, 2, ["a3"])["proven"] == "won"
    ended = evaluations.variation_value(game, 6, [])
    assert (ended["values"], ended["line"], ended["proven"]) == ([], [], None)


@pytest.mark.parametrize(
    ("size", "mark"), [(0.2, ""), (0.5, "?!"), (0.99, "?!"), (1.0, "?"), (2.0, "??"), (9.0, "??")]
)
def test_the_mark_of_a_move_grows_with_its_loss(size, mark) -> None:
    assert evaluations.mark_of(size) == mark


def test_values_of_another_measure_are_not_kept(record) -> None:
    game = with_values(read_record(record), [0.5, 1.5, -0.1, None, 0.5, 0.5])
    known = [each is not None for each in kept_values(game)]
    assert known == [True, False, False, False, True, True]
    first = dataclasses.replace(game.events[0], thoughts=AnalysisInfo(0.5, "points"))
    game = dataclasses.replace(game, events=[first, *game.events[1:]])
    assert kept_values(game)[0] is None


def test_the_page_draws_what_players_thought_as_dots(page, server, thoughtful) -> None:
    record_path(server).write_bytes(thoughtful.read_bytes())
    page.goto(f"/replay/here/{NUMBER}#2")
    page.get_by_text("About these values").click()
    page.get_by_text("Small dots: the players’ own values.").wait_for()
    assert page.locator("#evaluation .dots-thought").count() == 1


def test_the_end_of_a_part_is_judged_by_the_position_behind_it(record) -> None:
    analysis = analyze_part(read_record(record), 0, 3, time=60.0)  # or until it is proven
    assert len(analysis.moves) == 3
    assert analysis.final is None
    assert analysis.moves[2].after < 0.1


def test_a_large_loss_is_confirmed_by_longer_searches(record, monkeypatch) -> None:
    searched = []
    longer = evaluation._Searches.longer

    def count(searches, position):
        searched.append(position.ply)
        return longer(searches, position)

    monkeypatch.setattr(evaluation._Searches, "longer", count)
    monkeypatch.setattr(evaluation, "_keep_proof", lambda *_: None)
    game = read_record(record)
    analyze_part(game, 2, 2, time=0.05)
    assert searched == []  # nothing is in doubt
    found = analyze_part(game, 2, 2, time=0.001, doubts=evaluations.MISTAKE)
    assert found.moves[0].drop >= 0.2
    assert set(searched) <= {2, 3, 4}
    proven = {each.ply - 1 for each in found.moves if each.lost or each.won}
    assert set(searched) | proven >= {2, 3}


def test_a_game_alone_and_a_move_that_is_not_there_are_not_evaluated(record, tmp_path) -> None:
    path = tmp_path / "alone.jsonl"
    play_match(make("flood", width=3, seats=1), ["greedy"], record=path)
    assert replays.story(read_record(path))["evaluated"] == 0
    for game, first in ((read_record(path), 0), (read_record(record), 6)):
        with pytest.raises(InvalidInput, match="no such move"):
            evaluations.part(game, first)


def test_the_curve_leads_to_the_turning_point_and_to_what_was_better(page, server, record) -> None:
    record_path(server).write_bytes(record.read_bytes())
    page.goto(f"/replay/here/{NUMBER}")
    page.wait_for_selector("#evaluation[data-done='6']")
    turning = page.locator("#evaluation .turning")
    assert turning.count() == 1
    assert turning.get_attribute("aria-label").startswith("Move 3: ")
    turning.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#replay[data-shown='3']")
    assert page.locator("#moves .judged").all_inner_texts() == ["??"]
    assert page.locator("#moves li:nth-child(3) .judged").get_attribute("title") == "blunder"
    said = page.locator("#evaluation .loss").inner_text()
    assert re.search(r"^random .*blunder.*100 %.* 0 %", said)
    chances = page.locator("#evaluation .chances")
    assert "connex wins, whatever" in chances.inner_text()
    assert page.locator("#evaluation .mistakes button").all_inner_texts() == ["1??"]
    page.keyboard.press("Home")
    page.wait_for_selector("#replay[data-shown='0']")
    page.get_by_role("button", name="random, 1 blunder: to the next").click()
    page.wait_for_selector("#replay[data-shown='3']")
    better = page.locator("#evaluation .loss .line-move").first
    place = better.bounding_box()
    better.hover()
    page.locator("#board .hint").wait_for(state="attached")
    assert better.bounding_box() == place  # it does not move away from the pointer
    page.mouse.move(5, 5)
    page.locator("#board .hint").wait_for(state="detached")
    assert "0.2 s" in page.locator("#evaluation details").text_content()
    better.click()
    page.wait_for_selector("#tries[data-shown='2/c1']")
    assert re.search("3: random .*c1, connex", page.locator("#status").inner_text())
    page.locator("#evaluation .chances", has_text="random wins, whatever").wait_for()
    assert page.locator("#evaluation .loss").inner_text() == ""
    page.locator("#evaluation .best .line-move").first.click()
    page.wait_for_selector("#tries[data-shown^='2/c1/']")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#tries[data-shown='2/c1']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#tries[data-shown^='2/c1/']")
    page.get_by_role("button", name="Delete from here").click()
    page.wait_for_selector("#tries[data-shown='2/c1']")
    assert page.locator("#variations .line-move").count() == 1
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_selector("#replay[data-shown='2']")
    page.keyboard.press("n")
    page.wait_for_selector("#replay[data-shown='3']")
    box = page.locator("#evaluation .curve").bounding_box()
    page.mouse.click(box["x"] + 1, box["y"] + 10)
    page.wait_for_selector("#replay[data-shown='0']")


def test_a_page_reads_parts_that_the_server_makes(server, record, page) -> None:
    record_path(server).write_bytes(record.read_bytes())
    answer = page.request.get(f"/replay/here/{NUMBER}/evaluation?first=0")
    assert msgspec.json.decode(answer.body())["total"] == 6
    assert page.request.get(f"/replay/here/{NUMBER}/evaluation?first=6").status == 404


def test_a_mistake_in_points_follows_the_spread_of_results() -> None:
    small, large = (make("flood", f"square:{size}", seats=2, seed=1) for size in (5, 14))
    assert 0 < usual_spread(small) < usual_spread(large)
    assert usual_spread(small) == usual_spread(small)
    asked = [evaluations.mistakes(start) for start in (small, large)]
    assert evaluations.LEAST_POINTS <= asked[0]["points"] < asked[1]["points"]
    assert asked[1]["points"] <= evaluations.MISTAKE["points"]
    assert all(each["win"] == evaluations.MISTAKE["win"] for each in asked)


def test_random_moves_of_a_whole_game_earn_several_mistakes_and_good_ones_hardly_any(
    tmp_path,
) -> None:
    path = tmp_path / f"{NUMBER}.jsonl"
    start = make("carcassonne", rules="official", seats=2, seed=1)
    play_match(start, ["random", "mcts:sims=300"], seed=3, record=path)
    game = read_record(path)
    marks: list[list[str]] = [[], []]
    first = 0
    while first < evaluations.evaluated(game):
        data = evaluations.part(game, first)
        first = data["done"]
        for move in data["moves"]:
            marks[move["seat"]].append(move["mark"])
    mistakes = [sum(mark in ("?", "??") for mark in own) for own in marks]
    assert mistakes[0] >= 4
    assert mistakes[1] <= mistakes[0] / 2
