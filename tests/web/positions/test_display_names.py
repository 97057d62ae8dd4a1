"""Players are named alike on all pages: by level, by strategy, by the name that people gave."""

from __future__ import annotations

import html
from contextlib import closing

import msgspec
import pytest

from ludograph import make, play_match, read_record
from ludograph.errors import InvalidInput
from ludograph.games.registry import declaration
from ludograph.referee.options import MatchOptions
from ludograph.web.app import application
from ludograph.web.games.forms import known_player
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.match.match_manager import MatchManager
from ludograph.web.match.match_records import summary, write_beginning
from ludograph.web.positions.wording import display_names, named

NUMBER = "20260101-0123456789"
TIMED = "mcts:time=0.5"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([TIMED, "random"], ["mcts", "random"]),
        ([TIMED, TIMED], ["mcts", "mcts"]),
        ([TIMED, "mcts:time=2"], ["mcts (time 0.5)", "mcts (time 2)"]),
        ([TIMED, "mcts"], ["mcts (time 0.5)", "mcts"]),
        (["bot.py:depth=3", "players/a.py"], ["bot.py:depth=3", "players/a.py"]),
        (["human", "<b>:x=1"], ["a person", "<b>:x=1"]),
    ],
)
def test_options_are_named_only_where_they_tell_players_apart(names, shown) -> None:
    assert display_names(names) == shown
    assert display_names(names, [0] * len(names)) == shown


def test_names_in_sentences_are_those_of_lists() -> None:
    names, shown = ["human", TIMED], ["Ann", "mcts"]
    sentence = f"human (seat 0, black) beats {TIMED} (seat 1, white)."
    assert named(sentence, names, shown) == "Ann beats mcts."
    assert named("human (seat 0) wins.", names, ["a person", "mcts"]) == "A person wins."
    assert named("human (seat 0) wins.", names, [r"\1\g<0>", "mcts"]) == r"\1\g<0> wins."
    assert named("a (seat 1) wins, a (seat 11) is last.", ["b", "a"], ["b", "c"]) == (
        "c wins, a (seat 11) is last."
    )


@pytest.mark.slow
def test_a_level_has_its_name_on_the_first_page_and_on_the_page_of_its_record(
    tmp_path, opened
) -> None:
    declared = declaration("hex")
    level = levels_of(declared)[0]
    assert level.name == "easy"
    record = tmp_path / f"{NUMBER}.jsonl"
    start = make("hex", size=3, pie=False)
    by_level = known_player(declared, level.choice, {}, "time0", 2)
    by_name = known_player(declared, level.player, {}, "time1", 2)
    assert by_level.text == by_name.text == level.player
    play_match(start, [by_level, by_name], record=record, seed=1)
    kept = summary(record)
    assert kept.shown_names == ["Easy bot", level.player]
    assert "(seat" not in kept.shown_sentence
    client = opened(application(tmp_path))
    first = html.unescape(client.get("/").text)
    assert f">Easy bot – {level.player}</strong>" in first
    replay = f"/replay/here/{NUMBER}"
    assert f"Easy bot – {level.player}" in html.unescape(client.get(replay).text)
    seats = client.get(f"{replay}/frames?first=0").json()["frames"][0]["seats"]
    assert [seat["shown"] for seat in seats] == ["Easy bot", level.player]


def test_a_record_that_names_no_levels_has_the_names_of_its_strategies(tmp_path) -> None:
    record = tmp_path / f"{NUMBER}.jsonl"
    middle = levels_of(declaration("hex"))[1].player
    play_match(make("hex", size=3), [middle, "connex:random=0.5"], record=record, seed=1)
    assert b'"levels"' not in record.read_bytes()
    assert summary(record).shown_names == [middle.partition(":")[0], "connex"]


def test_a_suspended_match_goes_on_with_its_levels(tmp_path) -> None:
    declared = declaration("hex")
    players = [
        known_player(declared, choice, {}, "", 2)
        for choice in (levels_of(declared)[0].choice, "random")
    ]
    start = make("hex", size=3)
    with closing(MatchManager(tmp_path, 2)) as manager:
        write_beginning(manager.records.path(NUMBER), start, [], players, MatchOptions())
        assert manager.go_on(NUMBER).shown_names == ["Easy bot", "random"]


@pytest.mark.parametrize("levels", [[1], [1, -1], ["one", 0]])
def test_a_record_with_wrong_levels_is_refused(tmp_path, levels) -> None:
    record = tmp_path / "wrong.jsonl"
    play_match(make("hex", size=3), ["random", "random"], record=record, seed=1)
    header, *others = record.read_bytes().splitlines(keepends=True)
    data = msgspec.json.decode(header) | {"levels": levels}
    record.write_bytes(msgspec.json.encode(data) + b"\n" + b"".join(others))
    with pytest.raises(InvalidInput, match=r"wrong\.jsonl: line 1: "):
        read_record(record)
