"""How a match is played as one value: the same match as by keywords, and what is refused."""

import pytest

from ludograph import flood, play_match
from ludograph.errors import InvalidInput
from ludograph.players.isolation import Isolation
from ludograph.referee.clock import Clock
from ludograph.referee.match import referee_match
from ludograph.referee.options import MatchObserver, MatchOptions
from ludograph.referee.seed import Seed


def start():
    return flood.position("square:6", seed=3)


def test_keywords_and_options_play_the_same_match(tmp_path):
    heard = {"keywords": [], "options": []}
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    opening = start().legal_moves()[:1]
    by_keywords = play_match(
        start(),
        ["random", "greedy"],
        seed=5,
        clock="10s",
        opening=opening,
        record=one,
        on_move=lambda board, played: heard["keywords"].append((board.ply, played.move)),
    )
    by_options = referee_match(
        start(),
        ["random", "greedy"],
        MatchOptions(clock=Clock(move=10.0), seed=Seed(5), opening=opening, record=other),
        MatchObserver(on_move=lambda board, it: heard["options"].append((board.ply, it.move))),
    )
    assert [played.move for played in by_keywords.moves] == [
        played.move for played in by_options.moves
    ]
    assert heard["keywords"] == heard["options"]
    assert len(heard["options"]) == len(by_options.moves)
    header, same = (path.read_text().splitlines()[0] for path in (one, other))
    assert '"clock":"10s"' in header
    assert header.partition('"created"')[0] == same.partition('"created"')[0]


def test_an_opening_is_given_as_texts_or_codes():
    board = start()
    code = board.legal_moves()[1]
    results = [
        referee_match(start(), ["random", "random"], MatchOptions(seed=Seed(1), opening=[move]))
        for move in (code, board.text(code))
    ]
    assert results[0].moves[0].move == results[1].moves[0].move == code


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"clock": "soon"}, "clock 'soon': "),
        ({"foreign_clock": 3}, "foreign_clock .*'2s'"),
        ({"seed": "x"}, "seed: "),
        ({"chance_seed": 1.5}, "chance_seed "),
        ({"isolation": "firm"}, "isolation"),
    ],
)
def test_a_wrong_value_gives_one_sentence(wrong, sentence):
    with pytest.raises(InvalidInput, match=f"^{sentence}") as told:
        MatchOptions.checked(**wrong)
    assert "\n" not in str(told.value)


def test_hidden_chance_has_a_seed_of_its_own():
    options = MatchOptions(seed=Seed(1), hide_chance=True)
    assert options.luck != options.seed
    assert options.luck == options.luck
    assert MatchOptions(seed=Seed(1)).luck == Seed(1)


def test_a_clock_keeps_its_text_and_values_decide_equality():
    assert Clock.parse("500ms").text == "500ms"
    assert Clock.parse("500ms") == Clock.parse("0.5s") == Clock(move=0.5)
    assert Clock(move=0.5).text == "0.5s"


def test_isolation_is_a_value():
    assert MatchOptions.checked(isolation="none").isolation == Isolation.chosen("none")
