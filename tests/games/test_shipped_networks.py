"""Networks that games ship: the files themselves, and ``net`` without the option ``weights``."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

import ludograph.games
from ludograph import play_match, play_series
from ludograph.analysis.advice import advisers
from ludograph.errors import InvalidInput
from ludograph.games.registry import declaration, game, names
from ludograph.games.searching import SHIPPED, net_strategy
from ludograph.players import parse_player
from ludograph.referee.warm_up import players_for
from ludograph.search.network import check_features, read_network
from ludograph.web.games import forms
from tests.cli.run import refuse, succeed
from tests.games.test_network_player import weights_for

FOLDER = Path(ludograph.games.__file__).parent

FILES = [
    pytest.param(name, FOLDER / name / file, id=f"{name}/{file}")
    for name in names()
    for file in SHIPPED.values()
    if (FOLDER / name / file).is_file()
]

MOST_BYTES = 3_000_000

SAID = ("boards", "seed", "hours", "machine")
"""What a shipped file says of how it was made."""


@pytest.mark.parametrize(("name", "path"), FILES)
def test_a_shipped_file_is_small_and_says_how_it_was_made(name, path) -> None:
    assert path.stat().st_size <= MOST_BYTES
    network = read_network(path, game=name)
    assert [each for each in SAID if not network.trained.get(each)] in ([], ["seed"])
    assert isinstance(network.trained["seed"], int)
    strategy = game(name).strategy("net")
    assert strategy.usual_seats == (network.shape.seats, network.shape.seats)
    assert (FOLDER / name / SHIPPED[""]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), FILES)
def test_a_shipped_network_plays_on_two_boards_and_beats_random(name, path) -> None:
    seats = read_network(path).shape.seats
    player = f"net:weights={path},sims=8"
    for start in islice(known_starts(name, path), 2):
        result = play_match(start, [player] * seats, seed=1)
        assert result.reason == "finished"
    start = game(name).position
    players = [player, *["random"] * (seats - 1)]
    series = play_series(lambda seed: start(seats=seats, seed=seed), players, games=6, seed=1)
    assert series.points()[0].mean > 0.5


def known_starts(name, path):
    """Yield starts of the usual options and of samples whose features a network knows."""
    shape = read_network(path).shape
    starts = [game(name).position(seats=shape.seats), *game(name).samples()]
    for start in starts:
        if start.seats == shape.seats:
            with suppress(InvalidInput):
                check_features(shape, start.setup)
                yield start


@pytest.fixture
def shipping(monkeypatch, tmp_path):
    """Return a function that has a game ship a network that has learned nothing."""

    def ship(name, *files):
        folder = tmp_path / name
        folder.mkdir()
        start = next(each for each in game(name).samples() if each.seats == 2)
        for file in files:
            weights_for(start, folder / file)
        strategy = net_strategy(folder)
        monkeypatch.setitem(game(name).strategies, "net", strategy)
        return start

    return ship


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """Return a game that ships no network."""
    monkeypatch.setitem(game("hex").strategies, "net", net_strategy(tmp_path))
    return game("hex")


def test_without_a_shipped_network_one_sentence_says_so(bare) -> None:
    said = refuse("hex", "--board", 3, "net", "random")
    assert "net:weights=FILE" in said
    assert "'ludograph learn'" in said
    assert "net" not in [each.name for each in forms.opponents(declaration("hex"))]
    assert "net" not in advisers(bare.position(3))
    with pytest.raises(InvalidInput, match="'net'"):
        forms.read(declaration("hex"), {"board": "hexagonal", "board.width": "3", "player1": "net"})


@pytest.mark.usefixtures("plain_in_make_test")
def test_a_shipped_network_plays_without_weights(shipping, tmp_path) -> None:
    start = shipping("hex", SHIPPED[""])
    played = play_match(start, ["net:sims=2", "net:sims=0"], seed=1)
    assert played.reason == "finished"
    assert not parse_player("net", game("hex"), 2).files
    own = weights_for(start, tmp_path / "own.npz")
    assert parse_player(f"net:weights={own}", game("hex"), 2).files == [str(own)]
    with pytest.raises(InvalidInput, match=r"\bweights\b.*'small'"):
        parse_player("net:weights=small", game("hex"), 2)
    assert {"net:time=0.001,sims=0", "net:time=0.001,sims=1"} <= {*players_for(start)}
    assert "weights" in succeed("strategies", "hex")


@pytest.mark.usefixtures("plain_in_make_test")
def test_a_smaller_network_is_named_small(shipping) -> None:
    start = shipping("hex", *SHIPPED.values())
    spec = parse_player("net:weights=small,sims=0", game("hex"), 2)
    assert not spec.files
    assert play_match(start, [spec, "random"], seed=1).reason == "finished"
    with pytest.raises(InvalidInput, match=r"\bsmall\b.*'tiny'"):
        parse_player("net:weights=tiny", game("hex"), 2)


def test_a_shipped_network_is_for_a_number_of_seats(shipping) -> None:
    start = shipping("flood", SHIPPED[""])
    with pytest.raises(InvalidInput, match=r"\b2 players.*\b3$"):
        parse_player("net", game("flood"), 3)
    assert "net" in advisers(start)
    assert "net" not in advisers(game("flood").position(4, seats=2))  # with more colors
    assert "net" not in advisers(game("flood").position(4, seats=3))


def test_a_network_of_other_options_is_refused_before_a_match() -> None:
    with_six = FOLDER / "flood" / SHIPPED[""]
    start = game("flood").position(5, colors=4, seats=2, seed=1)
    sentence = "net: the network is for 8 features of a vertex, this game has 6.*colors 6"
    with pytest.raises(InvalidInput, match=sentence):
        play_match(start, [f"net:weights={with_six}", "random"])
    sent = {
        "player0": "net",
        "player1": "random",
        "board": "square",
        "board.width": "5",
        "colors": "4",
    }
    with pytest.raises(InvalidInput, match=sentence):
        forms.read(declaration("flood"), sent)


def test_people_choose_it_on_pages(shipping) -> None:
    shipping("hex", SHIPPED[""])
    (opponent,) = [each for each in forms.opponents(declaration("hex")) if each.name == "net"]
    assert opponent.times
    assert opponent.seats == (2, 2)
    given = {"board": "hexagonal", "board.width": "3", "player1": "net", "time1": "0.2"}
    assert forms.read(declaration("hex"), given).players[1].text == "net:time=0.2"


@pytest.mark.slow
@pytest.mark.usefixtures("plain_in_make_test")
def test_a_tournament_takes_it(shipping, tmp_path) -> None:
    shipping("hex", SHIPPED[""])
    players = ("net:sims=0", "net:sims=2", "random")
    said = succeed(
        *("tournament", "hex", "--board", 2, *players, "--store", tmp_path / "store.db", "-q")
    )
    assert "net:sims=0" in said
