"""The moves that a strategy has considered, as pages draw them: arrows, heat."""

import pytest

from ludograph import make
from ludograph.analysis.measure import counts_points
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.web.positions.serializers import view
from ludograph.web.positions.thoughts import MOST_ARROWS, chance, chance_of, considered_moves
from tests.web.conftest import record_path
from tests.web.replay.test_evaluation import NUMBER
from tests.web.replay.test_evaluation import record as record  # noqa: PLC0414  (a fixture)


def test_a_move_that_is_a_cell_has_its_share_of_the_visits_and_a_studied_one_its_chance() -> None:
    position = make("hex", size=3, pie=False)
    moves = (Considered("b2", 0.62, 80), Considered("a1", 0.4, 20), Considered("c2", 0.9, 1))
    found = considered_moves(AnalysisInfo(0.62, "win", moves=moves), position)
    cells = [list(position.game.interaction.pointed(position, position.parse("b2"))[0])]
    assert found[0] == {"parts": cells, "share": 1.0, "text": "62 %"}
    assert [(each["share"], each["text"]) for each in found[1:]] == [(0.25, "40 %"), (0.013, "")]


def test_a_move_from_cell_to_cell_has_a_part_for_each_and_few_arrows_are_drawn() -> None:
    position = make("amazons", "square:4", queens=1)
    texts = [position.text(move) for move in list(position.legal_moves())[:30]]
    moves = tuple(Considered(text, 0.5, 9) for text in texts)
    found = considered_moves(AnalysisInfo(0.5, "win", moves=moves), position)
    assert len(found) == MOST_ARROWS
    assert all(len(part) == 1 for each in found for part in each["parts"])
    assert {len(each["parts"]) for each in found} == {3}


def test_values_without_visits_are_compared_with_each_other() -> None:
    position = make("hex", size=3, pie=False)
    moves = (Considered("b2", 6.0), Considered("a1", 0.0), Considered("c3", -2.0))
    found = considered_moves(AnalysisInfo(6.0, "points", moves=moves), position)
    assert [(each["share"], each["text"]) for each in found] == [(1.0, ""), (0.25, "")]


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Considered("a", 1.0, proven=True), "wins"),
        (Considered("a", 0.0, proven=True), "loses"),
        (Considered("a", 0.5, proven=True), "draws"),
        (Considered("a", 1.0), "100 %"),
        (Considered("a"), ""),
    ],
)
def test_a_proven_chance_is_a_word(move, text) -> None:
    position = make("hex", size=3)
    assert chance(move.value, proven=move.proven) == text
    assert chance_of(AnalysisInfo(move.value, "win", proven=move.proven), position) == text
    assert chance_of(AnalysisInfo(move.value, "points", proven=move.proven), position) == ""


def test_a_search_that_counts_points_has_no_chance_to_win_until_something_is_proven() -> None:
    position = make("flood", "square:4", colors=3, seats=2, seed=1)
    move = position.text(position.legal_moves()[0])
    moves = (Considered(move, 0.62, 80),)
    info = AnalysisInfo(0.62, "win", moves=moves, line=(move,))
    assert chance_of(info, position) == ""
    assert considered_moves(info, position)[0]["text"] == ""
    assert view(info, position)["text"] == f"plays {move}."
    assert chance_of(AnalysisInfo(1.0, "win", proven=True), position) == "wins"
    counting = {game: counts_points(make(game)) for game in ("hex", "penguins", "amazons")}
    assert counting == {"hex": False, "penguins": False, "amazons": False}
    assert counts_points(make("carcassonne", seats=2))


def test_what_is_thought_of_moves_is_one_overlay_of_a_page() -> None:
    position = make("hex", size=3, pie=False)
    info = AnalysisInfo(0.6, "win", moves=(Considered("b2", 0.6, 5),), line=("b2", "a1"))
    assert [each["name"] for each in view(info, position)["overlays"]] == ["moves", "line"]


@pytest.mark.slow
def test_heat_lies_below_the_pieces_and_chances_are_switched_on(page, server, record) -> None:
    record_path(server).write_bytes(record.read_bytes())
    page.goto(f"/replay/here/{NUMBER}#2")
    page.wait_for_selector("#replay[data-shown='2']")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("button", name="moves", exact=True).click()
    page.wait_for_selector("#board .heat path", state="attached")
    layers = page.evaluate(
        "[...document.querySelectorAll('#board g[class]')].map((g) => g.className.baseVal)"
    )
    assert layers.index("heat") < layers.index("pieces")
    page.get_by_role("button", name="chances").click()
    page.locator("#board .thoughts text").first.wait_for()
    texts = page.locator("#board .thoughts text").all_text_contents()
    assert all(text in ("wins", "loses") or text.endswith(" %") for text in texts)
