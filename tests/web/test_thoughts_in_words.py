"""What strategies think, as pages say it: percent, lines, and proven values without numbers."""

import pytest

from ludograph import make
from ludograph.analysis.advice import best_play
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.web.thoughts_in_words import in_words

TWO = (Considered("a", 0.6), Considered("b", 0.25))


@pytest.mark.parametrize(
    ("info", "seats", "said"),
    [
        (AnalysisInfo(), 2, ""),
        (AnalysisInfo(0.5, "win", proven=True), 2, "it draws with best play"),
        (AnalysisInfo(0.0, "win", proven=True), 2, "it loses, unless the other makes a mistake"),
        (AnalysisInfo(1.0, "win", proven=True), 3, "it wins, whatever the others do"),
        (AnalysisInfo(0.44, "win", moves=TWO, line=("a",)), 3, "a"),
        (AnalysisInfo(5, "points"), 2, "it ends 5 points ahead, it expects"),
        (AnalysisInfo(-1, "points", proven=True), 2, "it ends 1 point behind with best play"),
        (AnalysisInfo(17, "points"), 1, "17 points"),
        (AnalysisInfo(1, "stones"), 2, "1 stone"),
        (AnalysisInfo(note="no idea"), 2, "no idea"),
        (
            AnalysisInfo(
                0.6, "win", moves=(Considered("a", 0.6), Considered("b", 0.25)), line=("a",)
            ),
            2,
            "it wins 60 %; a; also considered: b 25 %",
        ),
    ],
)
def test_thoughts_are_sentences(info, seats, said) -> None:
    assert in_words(info, seats) == (f"thinks: {said}" if said else "")


def test_in_a_lost_position_no_move_is_marked_and_the_length_of_the_line_is_said() -> None:
    position = make("hex", size=3, pie=False)
    position.play("b1")
    won = best_play(position, 10)
    assert won.cells
    position.play(won.info.line[0])
    lost = best_play(position, 10)
    assert lost.cells == []
    length = len(lost.info.line)
    assert f"No move saves the game; it can last {length} more moves." in lost.text
    assert "loses with best play" in lost.text


def test_an_answer_of_several_lines_begins_with_a_sentence_on_a_page() -> None:
    first = best_play(make("hex", size=3, pie=False), 10)
    assert first.text == "Seat 0, which moves first, wins with best play."
    assert "\n" in first.detail
