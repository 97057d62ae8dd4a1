"""Players are named alike on all pages: by level, by strategy, by the name that people gave."""

from __future__ import annotations

import html

import pytest

from ludograph import make, play_match
from ludograph.games.registry import declaration
from ludograph.web.app import application
from ludograph.web.display_names import display_names, named
from ludograph.web.match_manager import summary
from ludograph.web.opponent_levels import levels_of

NUMBER = "20260101-0123456789"
TIMED = "mcts:time=0.5"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([TIMED, "random"], ["mcts", "random"]),
        ([TIMED, TIMED], ["mcts", "mcts"]),
        ([TIMED, "mcts:time=2"], [TIMED, "mcts:time=2"]),
        ([TIMED, "mcts"], [TIMED, "mcts"]),
        (["bot.py:depth=3", "players/a.py"], ["bot.py:depth=3", "players/a.py"]),
        (["human", "<b>:x=1"], ["a person", "<b>:x=1"]),
    ],
)
def test_options_are_named_only_where_they_tell_players_apart(names, shown) -> None:
    assert display_names("hex", names) == shown
    assert display_names("no-such-game", names, list(names)) == shown


def test_names_in_sentences_are_those_of_lists() -> None:
    names, shown = ["human", TIMED], ["Ann", "mcts"]
    sentence = f"human (seat 0, black) wins, {TIMED} (seat 1, white) resigned."
    assert named(sentence, names, shown) == "Ann wins, mcts resigned."
    assert named("human (seat 0) wins.", names, ["a person", "mcts"]) == "A person wins."
    assert named("human (seat 0) wins.", names, [r"\1\g<0>", "mcts"]) == r"\1\g<0> wins."
    assert named("a (seat 1) wins, a (seat 11) is last.", ["b", "a"], ["b", "c"]) == (
        "c wins, a (seat 11) is last."
    )


def test_a_level_has_its_name_on_the_first_page_and_on_the_page_of_its_record(
    tmp_path, opened
) -> None:
    level = levels_of(declaration("hex"))[0]
    assert level.name == "level 1, beginner"
    record = tmp_path / f"{NUMBER}.jsonl"
    start = make("hex", size=3, pie=False)
    play_match(start, [level.player, "connex:random=0.5"], record=record, seed=1)
    kept = summary(record)
    assert kept.shown_names == ["Level 1", "connex"]
    assert "(seat" not in kept.shown_sentence
    client = opened(application(tmp_path))
    first = html.unescape(client.get("/").text)
    assert "<strong>Level 1 – connex</strong>" in first
    assert "Level 1 – connex" in client.get(f"/replay/here/{NUMBER}").text
