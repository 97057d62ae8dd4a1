"""What strategies think, as pages say it: percent, lines, and proven values without numbers."""

import re

import pytest

from ludograph import make
from ludograph.analysis.advice import best_play
from ludograph.games.analysis_info import AnalysisInfo, Considered
from ludograph.web.positions.thoughts import in_words

TWO = (Considered("a", 0.6), Considered("b", 0.25))
VISITED = (Considered("a", 0.5, 90), Considered("b", 0.8, 2), Considered("c", 0.4, 30))


@pytest.mark.parametrize(
    ("info", "seats", "said"),
    [
        (AnalysisInfo(), 2, ""),
        (AnalysisInfo(0.5, "win", proven=True), 2, "thinks that it draws with best play."),
        (
            AnalysisInfo(0.0, "win", proven=True),
            2,
            "thinks that it loses, unless the other makes a mistake.",
        ),
        (
            AnalysisInfo(1.0, "win", proven=True),
            3,
            "thinks that it wins, whatever the others do.",
        ),
        (AnalysisInfo(0.44, "win", moves=TWO, line=("a",)), 3, "plays a."),
        (AnalysisInfo(5, "points"), 2, "expects to end 5 points ahead."),
        (
            AnalysisInfo(-1, "points", proven=True),
            2,
            "thinks that it ends 1 point behind with best play.",
        ),
        (AnalysisInfo(17, "points"), 1, "rates its move at 17 (points)."),
        (AnalysisInfo(-0.0, "points"), 1, "rates its move at 0 (points)."),
        (AnalysisInfo(3, "stones", proven=True), 2, "rates its move at 3 (stones, proven)."),
        (AnalysisInfo(note="no idea"), 2, "thinks: no idea."),
        (
            AnalysisInfo(0.6, "win", moves=TWO, line=("a", "c", "d"), note="known."),
            2,
            "thinks that its chance to win is 60 %. It expects a, then c d. "
            "It also considered b (25 %). Known.",
        ),
        (
            AnalysisInfo(0.5, "win", moves=VISITED),
            2,
            "thinks that its chance to win is 50 %. It also considered c (40 %).",
        ),
    ],
)
def test_thoughts_are_sentences(info, seats, said) -> None:
    assert in_words(info, seats) == said


def test_in_a_lost_position_no_move_is_marked_and_the_length_of_the_line_is_said() -> None:
    position = make("hex", size=3, pie=False)
    position.play("b1")
    won = best_play(position, 10)
    assert won.cells
    position.play(won.info.line[0])
    lost = best_play(position, 10)
    assert lost.cells == []
    length = len(lost.info.line)
    assert f" {length} more moves" in lost.text
    assert " loses " in lost.text


def test_an_answer_of_several_lines_begins_with_a_sentence_on_a_page() -> None:
    first = best_play(make("hex", size=3, pie=False), 10)
    assert re.fullmatch("Seat 0, .*first, wins .*", first.text)  # no line break
    assert "\n" in first.detail


def test_a_value_of_points_is_not_told_as_a_chance() -> None:
    info = AnalysisInfo(0.6, "win", moves=TWO, line=("a", "c"))
    assert "60 %" in in_words(info, 2)
    assert re.fullmatch(r"[^%]*\ba, then c\.", in_words(info, 2, points=True))
    won = AnalysisInfo(1.0, "win", proven=True)
    assert in_words(won, 2, points=True) == in_words(won, 2)


def test_a_long_line_ends_in_words_and_one_full_stop() -> None:
    line = tuple("abcdefgh")
    info = AnalysisInfo(0.6, "win", moves=TWO, line=line)
    said = in_words(info, 2)
    assert " ".join(line[1:6]) in said
    assert line[6] not in said.split()
    assert "b (25 %)." in said
    assert ".." not in said
