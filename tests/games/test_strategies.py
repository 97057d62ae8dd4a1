"""The strategies of all games: they play whole games, as their seeds say, and beat weaker ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from ludograph import boards, penguins, play_match, read_record, rules
from ludograph.errors import InvalidInput
from ludograph.games.hex import hex_board
from ludograph.games.hex.evaluation.openings import openings
from ludograph.games.registry import OURS, game
from ludograph.games.search_view import SearchView
from ludograph.search.mcts import SearchOptions
from tests.amounts import few, plain_in_make_test
from tests.games.penguins.boards import TILINGS
from tests.toys.nim_game import NimGame

STARTS: dict[str, list[dict[str, Any]]] = {
    "amazons": [{"board": 5, "queens": 2}],
    "carcassonne": [
        {"mode": mode, "seats": seats, "discard": True}
        for mode in ("no-meeple", "infinite", "finite")
        for seats in (2, 3)
    ],
    "flood": [{"board": 4, "colors": 3, "seats": seats} for seats in (2, 1, 3)],
    "hex": [
        {"board": board, "pie": pie}
        for board in (hex_board(6, "h"), hex_board(5, "c"), hex_board(3, "t"))
        for pie in (True, False)
    ],
    "penguins": [
        {"board": boards.full_hexa(4), "penguins": 1, "seats": 4, "seed": 3},
        {"board": boards.torus(4), "penguins": 1, "seed": 1},
        *(
            {"board": penguins.board(tiling, 6, 6), "seats": seats, "penguins": each, "seed": 1}
            for tiling in TILINGS
            for seats, each in ((2, 2), (3, 1), (4, 2))
        ),
    ],
}
PLAYERS = {
    "amazons": ("mcts:sims=6", "minimax:depth=1"),
    "carcassonne": ("greedy", "expectimax:depth=1", "mcts:sims=40"),
    "flood": ("valid", "greedy", "mcts:sims=6", "minimax:depth=1", "beam", "optimal"),
    "hex": (
        "connex",
        "resistance:width=6",
        "minimax:depth=2",
        "mcts:sims=60",
    ),
    "penguins": (
        *("line", "step", "slide", "dissector:time=0.01", "eat:time=0.01"),
        *("mcts:sims=30", "minimax:depth=1"),
    ),
}
WITH_THREADS = ("mcts", "minimax")
PLAIN = ("minimax",)
"""In ``make test`` this one of Hex is not compiled: no other test there needs its search."""


def test_a_search_explores_as_its_game_says_unless_its_player_says_otherwise() -> None:
    class Curious(NimGame):
        def search_view(self, position, kind):
            return SearchView(position.setup, options=SearchOptions(c=0.125))

    start = Curious().position()
    for texts, c in (({}, 0.125), ({"c": "0.5"}, 0.5)):
        player: Any = start.game.strategy("mcts").create(texts, 1)
        with rules.interpreted():
            assert player.prepare(start).options.c == c


def games() -> Iterator[Any]:
    """Yield a start and a player for it; the first start alone for what is no player by itself."""
    for name in OURS:
        for player in ("random", *PLAYERS[name]):
            strategy = player.partition(":")[0]
            more = "," if ":" in player else ":"
            forms = [player, f"{player}{more}random=0.5"]
            if strategy in WITH_THREADS:
                forms.append(f"{player},threads=3")
            low, high = game(name).strategy(strategy).seats
            able = [each for each in STARTS[name] if low <= each.get("seats", 2) <= high]
            for form in forms:
                for place, options in enumerate(able if form == player else able[:1]):
                    quick = (name, form) in QUICK and place == 0
                    marks = () if quick else pytest.mark.slow
                    yield pytest.param(
                        name, form, options, marks=marks, id=f"{name} {form} {place}"
                    )


QUICK = (
    *(("flood", "valid"), ("flood", "greedy:random=0.5")),
    *(("hex", "connex"), ("penguins", "line")),
)


@pytest.mark.parametrize("name", OURS)
def test_each_strategy_is_played(name: str) -> None:
    """The network is played in ``test_network_player.py``."""
    played = {player.partition(":")[0] for player in PLAYERS[name]}
    assert played | {"random", "net"} == set(game(name).strategies)


@pytest.mark.every_case
@pytest.mark.parametrize(("name", "player", "options"), list(games()))
def test_a_whole_game_is_played_as_its_seed_says(name, player, options, tmp_path) -> None:
    start = game(name).position(**options)
    if name == "hex":
        openings(start)  # remembered: the random games behind it are always machine code
    histories, path = [], tmp_path / "game.jsonl"
    with plain_in_make_test():
        for seed in (3, 3):
            result = play_match(start, [player] * start.seats, seed=seed, record=path)
            assert (result.reason, result.faults) == ("finished", [])
            histories.append(result.position.history)
    record = read_record(path)
    assert record.position_at(record.plies) == result.position
    timed = "time=" in player or "threads=" in player or (name == "flood" and start.seats == 1)
    assert timed or histories[0] == histories[1]


def test_other_seeds_play_other_games() -> None:
    start = game("hex").position("hexagonal:5")
    players = ["connex:random=0.5"] * 2
    one, other = (play_match(start, players, seed=seed).position.history for seed in (1, 2))
    assert one != other


class Contest(NamedTuple):
    """Games of a strong player and a weak one, on both seats in turn.

    Attributes
    ----------
    count
        How many games are played; seats change after each, seeds after two.
    least
        How many points the strong one makes at least; a draw is half a point.
    """

    name: str
    options: dict[str, Any]
    strong: str
    weak: str
    count: int
    least: float


HEX_5 = {"board": "hexagonal:5"}
CONTESTS = [
    Contest("amazons", {"board": 6}, "mcts:sims=300", "random", 6, 6),
    Contest("amazons", {"board": 6}, "minimax:depth=1", "random", 6, 6),
    Contest("carcassonne", {"mode": "finite"}, "expectimax:depth=3", "greedy", 6, 4),
    Contest("carcassonne", {"mode": "finite"}, "mcts:sims=600", "greedy", 6, 4),
    Contest("flood", {"board": 8, "colors": 6}, "valid", "random", 20, 13),
    *(
        Contest("hex", {"size": 6}, player, "random", 6, 6)
        for player in ("connex", "resistance:width=6", "mcts:sims=500")
    ),
    Contest("hex", {"size": 6}, "minimax:depth=2", "random", 20, 18),
    Contest("hex", HEX_5, "connex", "connex:random=0.6", 20, 16),
    Contest("hex", HEX_5, "connex:random=0.3", "random", 20, 14),
    Contest("penguins", {"penguins": 2}, "line", "random", few(20, 100), few(14, 75)),
    Contest("penguins", {"penguins": 2}, "dissector:time=0.01", "line", 12, 9),
]
QUICKLY = [("hex", "connex", "random"), ("penguins", "line", "random")]


@pytest.mark.every_case
@pytest.mark.parametrize(
    "contest",
    [
        pytest.param(
            each,
            marks=() if (each.name, each.strong, each.weak) in QUICKLY else pytest.mark.slow,
            id=f"{each.name} {each.strong} {each.weak}",
        )
        for each in CONTESTS
    ],
)
def test_the_stronger_player_wins_more(contest: Contest) -> None:
    name, options, strong, weak, count, least = contest
    points = 0.0
    for number in range(count):
        seat, seed = number % 2, number // 2
        players = [strong, weak] if seat == 0 else [weak, strong]
        start = game(name).position(**options, seed=seed)
        result = play_match(start, players, seed=seed, chance_seed=seed)
        assert not result.faults
        points += 0.5 if result.winner is None else result.winner == seat
    assert points >= least


def test_all_threads_are_as_many_as_there_are_cores() -> None:
    values = game("flood").strategy("mcts").values({"threads": "all"})
    assert values["threads"] == min(64, len(os.sched_getaffinity(0)))


@pytest.mark.parametrize("text", ["0", "-1", "65", "1.5", "some", ""])
def test_what_is_no_number_of_threads_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^mcts: threads .*\b64 or all.* {text!r}$"):
        game("flood").strategy("mcts").create({"threads": text}, 0)


def test_a_share_above_one_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"\brandom\b.*'1\.5'"):
        game("flood").strategy("greedy").values({"random": "1.5"})
