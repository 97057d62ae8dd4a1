"""The strategy ``net``: with and without a search, in every game."""

from __future__ import annotations

import pytest

from ludograph import play_match
from ludograph.analysis.advice import advisers
from ludograph.errors import InvalidInput
from ludograph.games.registry import declaration, game, names
from ludograph.players import parse_player
from ludograph.rules import random_state
from ludograph.rules.observer import sizes_of
from ludograph.search.network import (
    Layers,
    NetworkShape,
    TrainedNetwork,
    random_layers,
    write_network,
)
from ludograph.web.games import forms
from tests.cli.run import refuse, succeed


def weights_for(position, path, **trained):
    """Write a network that has learned nothing, with values that differ."""
    seen = sizes_of(position.setup)
    sizes = (seen.vertex_features, seen.game_features, seen.kinds)
    shape = NetworkShape(*sizes, seats=position.seats, channels=16, layers=2)
    layers = random_layers(shape, 1)
    values = random_layers(shape, 2).hidden[: shape.hidden, : shape.values] * 10
    filled: Layers = layers._replace(value_out=values)
    write_network(path, TrainedNetwork(position.game.name, shape, filled, trained))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_it_plays_every_game(name, tmp_path) -> None:
    start = next(each for each in game(name).samples() if each.seats > 1)
    path = weights_for(start, tmp_path / "own.npz")
    players = [f"net:weights={path},sims=0", f"net:weights={path},sims=20"]
    players += ["random"] * (start.seats - 2)
    result = play_match(start, players, seed=1, thoughts=True)
    assert result.reason == "finished"
    assert any(move.thoughts is not None for move in result.moves)
    for move in result.moves:
        if move.seat in (0, 1) and move.thoughts is not None:
            assert 0.0 <= move.thoughts.value <= 1.0
    again = play_match(start, players, seed=1, thoughts=True)
    assert [move.move for move in again.moves] == [move.move for move in result.moves]


@pytest.mark.slow
def test_it_finds_what_is_proven(tmp_path) -> None:
    position = game("hex").position(3, pie=False)
    path = weights_for(position, tmp_path / "own.npz")
    player = game("hex").strategy("net").create({"weights": str(path), "sims": "2000"}, 1)
    player.choose(position)
    assert player.thoughts().proven
    assert player.thoughts().value == 1.0


def test_a_file_of_something_else_is_refused(tmp_path) -> None:
    with pytest.raises(InvalidInput, match=r"\bweights\b.*none\.npz"):
        play_match(game("hex").position(3), ["net:weights=none.npz", "random"])
    flood = game("flood").position(4)
    path = weights_for(flood, tmp_path / "own.npz")
    with pytest.raises(InvalidInput, match=r"\bflood\b.*\bhex\b"):
        play_match(game("hex").position(3), [f"net:weights={path}", "random"])


def test_without_a_file_one_sentence_says_how_to_get_one() -> None:
    said = refuse("hex", "--board", 3, "net", "random")
    assert "net:weights=FILE" in said
    assert "'ludograph learn'" in said
    assert "net" not in [each.name for each in forms.opponents(declaration("hex"))]
    assert "net" not in advisers(game("hex").position(3))
    with pytest.raises(InvalidInput, match="'net'"):
        forms.read(declaration("hex"), {"board": "hexagonal", "board.width": "3", "player1": "net"})


def test_a_network_for_other_games_is_refused_before_a_match(tmp_path) -> None:
    start = game("flood").position
    path = weights_for(start(4, colors=6, seed=1), tmp_path / "own.npz", options={"colors": "6"})
    assert parse_player(f"net:weights={path}", game("flood"), 2).files == [str(path)]
    with pytest.raises(InvalidInput, match=r"\b2 players.*\b3$"):
        parse_player(f"net:weights={path}", game("flood"), 3)
    sentence = "net: the network is for 8 features of a vertex, this game has 6.*colors 6"
    with pytest.raises(InvalidInput, match=sentence):
        play_match(start(4, colors=4, seed=1), [f"net:weights={path}", "random"])


@pytest.mark.slow
@pytest.mark.usefixtures("plain_in_make_test")
def test_a_tournament_takes_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    weights_for(game("hex").position(2), "own.npz")
    players = ("net:weights=own.npz,sims=0", "net:weights=own.npz,sims=2", "random")
    said = succeed(
        *("tournament", "hex", "--board", 2, *players, "--store", tmp_path / "store.db", "-q")
    )
    assert "net:weights=own.npz,sims=0" in said


@pytest.mark.slow
def test_a_chance_node_is_judged_by_one_of_its_outcomes(tmp_path) -> None:
    position = game("carcassonne").position(seed=1)
    dice = random_state(1)
    while position.is_chance:
        position.play_random(dice)
    path = weights_for(position, tmp_path / "own.npz")
    player = game("carcassonne").strategy("net").create({"weights": str(path), "sims": "30"}, 1)
    assert player.choose(position) in position.legal_moves()
