"""``ludograph why``: where a recorded game was lost."""

import json
import re
from xml.etree import ElementTree

import pytest

from ludograph import hex, play_match
from tests.cli.run import invoke, succeed


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "game.jsonl"
    succeed("hex", "--size", 4, "--seed", 3, "--record", path, "-q", "connex", "random")
    return path


@pytest.mark.slow
def test_tells_curves_times_and_better_moves(game):
    text = succeed("why", game, "--sims", 300)
    curves = re.findall("(?m)^(value|scores).*, by moves", text)
    assert curves == ["value", "scores"]
    assert "time a move" in text
    assert "mcts plays" in text
    assert max(map(len, text.split("\n\nplayer")[0].splitlines())) <= 79
    assert text == succeed("why", game, "--sims", 300)
    assert "by moves" not in succeed("why", game, "--sims", 300, "-q")


@pytest.mark.slow
def test_says_the_same_as_data(game, tmp_path):
    picture = tmp_path / "why.svg"
    found = json.loads(succeed("why", game, "--sims", 300, "--json", "--svg", picture))
    ElementTree.parse(picture)
    assert len(found["moves"]) == found["plies"]
    assert [player["seat"] for player in found["players"]] == [0, 1]
    loser = next(player for player in found["players"] if player["lost_at"] is not None)
    assert loser["value"][-1] == [found["plies"], 0.0]
    assert loser["name"] not in found["result"].split(" wins")[0]
    assert found["moves"][0]["choices"][0]["value"] == pytest.approx(found["moves"][0]["value"])


@pytest.mark.slow
def test_a_move_than_which_nothing_is_better_is_no_worst_move(tmp_path):
    """The search of the position before it hoped for more, but finds no better move."""
    path = tmp_path / "game.jsonl"
    succeed("hex", "-m", 4, "--seed", 2, "--record", path, "-q", "random", "connex")
    found = json.loads(succeed("why", path, "--sims", 300, "--json"))
    text = succeed("why", path, "--sims", 300, "-q")
    kinds = set()
    for player in found["players"]:
        worst, name = player["worst"], f"{player['name']} (seat {player['seat']})"
        row = next(line for line in text.splitlines() if line.startswith(f"{name}  "))
        if worst is None or worst["choices"][0]["move"] == worst["move"]:
            assert row.endswith(" none")
        else:
            assert f"ply {worst['ply']}, -" in row
        if worst is not None:
            kinds.add(worst["choices"][0]["move"] == worst["move"])
            assert (f"{name} lost most " in text) == row.endswith(" none")
    assert True in kinds  # or the game shows nothing


def test_an_interrupted_game_can_be_asked_about(game, tmp_path):
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(game.read_text().splitlines(keepends=True)[:4]))
    assert "interrupted after 3 moves" in succeed("why", cut, "--sims", 50)


def test_a_game_without_moves_has_no_reasons(game, tmp_path):
    start = tmp_path / "start.jsonl"
    start.write_text(game.read_text().splitlines(keepends=True)[0])
    result = invoke("why", start)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "no move" in result.stderr


class Declines:
    """Opens in the middle, which is too good, and never swaps."""

    def choose(self, position):
        if position.ply == 0:
            return "c3"
        return next(move for move in position.legal_moves() if move != position.swap)


def test_an_exchange_that_was_better_is_named(tmp_path):
    path = tmp_path / "declined.jsonl"
    play_match(hex.position(5), [Declines, Declines], record=path)
    text = succeed("why", path, "--sims", 300, "-q")
    assert "at ply 2 played a1" in text
    assert " plays swap, " in text
    opening, answer, third, *_ = json.loads(succeed("why", path, "--sims", 300, "--json"))["moves"]
    assert opening["value"] == 0.5 > opening["after"], "nobody wins by an opening that is swapped"
    assert answer["value"] == answer["exchange"]["value"] > 0.5 > answer["after"]
    assert opening["exchange"] is third["exchange"] is None


def test_times_are_drawn(game):
    text = succeed("why", game, "--sims", 50)
    assert re.search("(?m)^seconds .*, by moves", text)
