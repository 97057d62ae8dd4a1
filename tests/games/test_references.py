"""The fast rules and the slow references play the same games, move by move."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import amazons, boards, carcassonne, flood, hex, penguins, rules
from ludograph.games import Position
from ludograph.games.carcassonne.decks import Deck, Kind, course
from ludograph.games.hex import hex_board
from ludograph.games.registry import OURS
from tests import openspiel
from tests.amounts import amount, few
from tests.games.amazons.boards import BOARDS as AMAZONS
from tests.games.amazons.boards import begin
from tests.games.carcassonne.tiles import any_tiles, decks, ornate, sided_tiles
from tests.games.hex.boards import grid_between_borders, tangle
from tests.games.penguins.boards import BOARDS as ICE
from tests.games.twins import Twin, twin
from tests.perft import ByRules, perft

pytestmark = pytest.mark.every_case


def compare(position: Position, slow: Twin) -> None:
    assert position.is_over == slow.over
    assert position.turn == slow.turn
    assert list(position.scores()) == slow.scores()
    assert sorted(position.legal_moves()) == sorted(slow.moves())
    told, seen = slow.told(), slow.seen(position)
    assert {what: seen[what] for what in told} == told


def play_both(
    position: Position,
    seed: int,
    *,
    slow: Twin | None = None,
    drops: float = 0.0,
    every: int = 1,
    rare: float = 1.0,
) -> int | None:
    """Play a random game on both, and return its winner.

    Parameters
    ----------
    drops
        How likely it is at each ply that a seat is eliminated.
    every
        How many plies are played from one comparison to the next.
    rare
        How likely the last of several moves, the pass of Flood, may be drawn: it ends games soon.
    """
    rng = random.Random(seed)
    slow = slow or twin(position)
    while not slow.over:
        if (position.ply + seed) % every == 0:
            compare(position, slow)
        seat = rng.randrange(position.seats)
        if rng.random() < drops and seat not in slow.dropped:
            position.drop(seat)
            slow.drop(seat)
            continue
        moves = position.legal_moves()
        kept = moves if len(moves) == 1 or rng.random() < rare else moves[:-1]
        move = rng.choice(kept)
        rules.play(position.setup, position.state, move)
        slow.play(move)
    compare(position, slow)
    outcome = position.outcome()
    assert outcome is not None
    return outcome.winner


class Games(NamedTuple):
    """Games of one kind.

    Attributes
    ----------
    make
        Makes the start of a game, by its number.
    count
        How many are played.
    options
        Of `play_both`; eliminations happen in odd games alone.
    """

    make: Callable[[int], Position]
    count: int
    options: dict[str, Any]


FLOODED = {
    "square": lambda size: boards.square(size + 1),
    "donut": lambda _: boards.donut(3),
    "hatched": lambda size: boards.hatched(6 if size == 3 else 3),
    "torus": lambda size: boards.torus(size + 1),
    "hexagonal": lambda size: boards.hexagonal(size + 1, size),
    "random": lambda size: boards.from_networkx(
        nx.connected_watts_strogatz_graph(6 + 2 * size, 4, 0.4, seed=size)
    ),
    "tree": lambda size: boards.from_networkx(nx.random_labeled_tree(6 + 2 * size, seed=size)),
}


def some_flood(family: str, number: int) -> Position:
    rng = random.Random(f"{family} {number}")
    colors = rng.randint(2, 6)
    seats = rng.choice([1, 2, 2, 2, min(3, colors), min(4, colors)])
    return flood.position(
        FLOODED[family](rng.randint(2, 3)),
        colors=colors,
        coloring=rng.choice(["cyclic", "random", "blocks", "balanced"]),
        seats=seats,
        forbidden=rng.choice([0, 0, 1, colors - 1]),
        variant=rng.choice(["standard", "capture"]) if seats > 1 else "standard",
        seed=rng.getrandbits(32),
    )


def flood_with_drops(variant: str, number: int) -> Position:
    seats = 3 + number % 3
    return flood.position(boards.square(4), colors=6, seats=seats, variant=variant, seed=number)


def some_carcassonne(deck: object, number: int) -> Position:
    """Each mode, number of seats and way to discard in 36 games."""
    return carcassonne.position(
        deck=deck,
        mode=number % 3,
        seats=2 + number // 6 % 3,
        discard=number // 18 % 2 == 1,
        meeples=3 + 4 * (number // 3 % 2),
    )


def some_penguins(name: str, number: int) -> Position:
    seats = 2 + number // 6 % 5
    return penguins.position(ICE[name], seats=seats, penguins=1 + number % 3, seed=number)


def some_official(number: int) -> Position:
    seats, meeples = 2 + number // 6, 7 - 2 * (number % 3)
    return carcassonne.position(rules="official", seats=seats, meeples=meeples)


HEXES = {
    **{f"{kind}{m}": hex_board(m, kind) for kind in "hct" for m in (2, 3, 4, 5)},
    "grid": grid_between_borders(5, 6),
    **{f"tangle{seed}": tangle(seed) for seed in range(4)},
}

GAMES = {
    **{
        f"flood {family}": Games(
            partial(some_flood, family), few(40, 3000), {"every": 3, "rare": 0.2}
        )
        for family in FLOODED
    },
    **{
        f"flood, {variant}, seats dropped": Games(
            partial(flood_with_drops, variant), 1500, {"drops": 0.15}
        )
        for variant in ("standard", "capture")
    },
    **{
        f"hex {name}": Games(
            lambda number, board=board: hex.position(board, pie=number % 2 == 0),
            few(30, 1200) // (1 if board.n < 60 else 5),
            {"every": 5},
        )
        for name, board in HEXES.items()
    },
    **{
        f"penguins {name}": Games(
            partial(some_penguins, name), few(6, 90), {"drops": 0.03, "every": 5}
        )
        for name in ICE
    },
    **{
        f"carcassonne {deck}": Games(
            partial(some_carcassonne, deck), few(2, 36), {"drops": 0.04, "every": few(20, 5)}
        )
        for deck in ("course:24", "classic")
    },
    "carcassonne, official": Games(some_official, few(1, 24), {"drops": 0.03, "every": few(12, 3)}),
    **{
        f"amazons {name}": Games(
            lambda _, name=name: begin(name), 6, {"every": 1 if board.n < 50 else 5}
        )
        for name, board in AMAZONS.items()
    },
}
QUICK = (
    *("flood square", "hex h4", "penguins full-tetra 8x7"),
    *("carcassonne course:24", "amazons square 10"),
)


def quickly(names, quick=QUICK):
    """Return parameters of a test, those to leave to ``make test-all`` marked."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.slow) for name in names]


def test_each_game_is_compared() -> None:
    assert {name.partition(" ")[0].strip(",") for name in GAMES} == set(OURS)


@pytest.mark.parametrize("name", quickly(GAMES))
def test_random_games_agree(name: str) -> None:
    make, count, options = GAMES[name]
    for number in range(count):
        drops = options.get("drops", 0.0) * (number % 2)
        play_both(make(number), number, **options | {"drops": drops})


@st.composite
def any_course(draw) -> Position:
    """Tiles of few terrains, so that many fit; or any."""
    terrains = draw(st.sampled_from([(0, 3), (0, 1, 3), (1,), tuple(range(8))]))
    tiles = any_tiles(terrains) if draw(st.booleans()) else sided_tiles(terrains)
    return carcassonne.position(
        deck=draw(decks(tiles)),
        mode=draw(st.sampled_from(range(3))),
        seats=draw(st.integers(2, 4)),
        meeples=draw(st.integers(1, 8)),
        discard=draw(st.booleans()),
    )


@st.composite
def any_official(draw) -> Position:
    terrains = draw(st.sampled_from([(0, 3), (0, 1, 3), (1, 3), (0, 1, 2, 3)]))
    tiles = ornate(any_tiles(terrains) if draw(st.booleans()) else sided_tiles(terrains))
    counts = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    kinds = tuple(Kind(f"k{n}", draw(tiles), count) for n, count in enumerate(counts))
    return carcassonne.position(
        deck=Deck(draw(tiles), kinds),
        rules="official",
        seats=draw(st.integers(2, 5)),
        meeples=draw(st.integers(1, 7)),
    )


@st.composite
def any_ice(draw) -> Position:
    board = ICE[draw(st.sampled_from(sorted(ICE)))]
    seats = draw(st.integers(2, 6))
    each = draw(st.integers(1, board.n // 2 // seats))
    ones = draw(st.integers(max((board.n + 1) // 2, seats * each), board.n))
    others = draw(
        st.lists(st.sampled_from([2, 3]), min_size=board.n - ones, max_size=board.n - ones)
    )
    fish = draw(st.permutations([1] * ones + others))
    return penguins.position(board, seats=seats, penguins=each, fish=fish)


ANY = {"penguins": any_ice(), "carcassonne": any_course(), "carcassonne, official": any_official()}


@pytest.mark.parametrize("name", quickly(ANY, ["penguins"]))
@settings(max_examples=amount(60))
@given(data=st.data())
def test_any_start_agrees(name: str, data) -> None:
    drops = data.draw(st.sampled_from([0.0, 0.04]))
    play_both(data.draw(ANY[name]), data.draw(st.integers(0, 10**6)), drops=drops, every=5)


class OpenSpielTwin(Twin):
    """A game of OpenSpiel, where a move may be several actions of one seat.

    A code has the vertices of the actions as its digits.
    """

    def __init__(self, position: Position, called: str) -> None:
        super().__init__(position)
        self.game = openspiel.part("pyspiel").load_game(called).new_initial_state()
        free = getattr(position.setup, "free", range(position.board.n))
        self.vertices = list(map(int, free))

    def begin(self, position):
        return None

    @property
    def over(self):
        return self.game.is_terminal()

    @property
    def turn(self):
        return None if self.over else self.game.current_player()

    def scores(self):
        return [(value + 1) / 2 for value in self.game.returns()]

    def moves(self):
        return list(self.codes(self.game, 0))

    def codes(self, state, code):
        """Yield the codes of all moves that go on with a state of the seat to move."""
        for action in [] if state.is_terminal() else state.legal_actions():
            longer = code * self.start.board.n + self.vertices[action]
            after = state.clone()
            after.apply_action(action)
            if after.is_terminal() or after.current_player() != state.current_player():
                yield longer
            else:
                yield from self.codes(after, longer)

    def play(self, code):
        n, seat = self.start.board.n, self.game.current_player()
        digits = [code % n] if code < n else [code // n**2, code // n % n, code % n]
        for vertex in digits:
            assert self.game.current_player() == seat
            self.game.apply_action(self.vertices.index(vertex))


def oblong(rows: int, columns: int) -> Position:
    """Hex of any number of rows and columns, as a graph: the cells, then a vertex a border."""
    graph = nx.Graph()
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, -1)):
                if row + down < rows and 0 <= column + right < columns:
                    other = (row + down) * columns + column + right
                    graph.add_edge(row * columns + column, other)
    n = rows * columns
    top, bottom, left, right = range(n, n + 4)
    graph.add_edges_from((top, column) for column in range(columns))
    graph.add_edges_from((bottom, n - columns + column) for column in range(columns))
    graph.add_edges_from((left, row * columns) for row in range(rows))
    graph.add_edges_from((right, row * columns + columns - 1) for row in range(rows))
    marks = {"black": [top, bottom], "white": [left, right]}
    return hex.position(boards.from_networkx(graph).with_marks(marks), pie=False)


OPENSPIEL = {
    # From 2: a stone that touches two borders of its color is no win yet in OpenSpiel.
    **{
        f"hex(board_size={size})": Games(
            lambda _, size=size: hex.position(size, pie=False), few(60, 200), {}
        )
        for size in range(2, 12)
    },
    **{
        f"hex(num_rows={rows},num_cols={columns})": Games(
            lambda _, size=(rows, columns): oblong(*size), few(60, 200), {}
        )
        for rows, columns in ((2, 7), (7, 2), (3, 5), (6, 4), (9, 11))
    },
    **{  # all sizes that it has
        f"amazons(board_size={size})": Games(
            lambda _, size=size: amazons.position(size), 20, {"every": 8}
        )
        for size in (6, 8, 10)
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("called", OPENSPIEL)
def test_games_written_by_others_in_cpp_agree(called: str) -> None:
    make, count, options = OPENSPIEL[called]
    winners = set()
    for number in range(count):
        position = make(number)
        slow = OpenSpielTwin(position, called)
        winners.add(play_both(position, number, slow=slow, **options))
    assert winners == {0, 1} or "num_rows" in called  # there one side may win always


class Lines(NamedTuple):
    """How many lines of play a start has.

    Attributes
    ----------
    counts
        How many there are of 0, 1, ... plies.
    slowly
        How many plies deep the reference counts; the rules count all.
    openspiel
        The game as OpenSpiel calls it, if it has it, and how deep it counts.
    """

    make: Callable[[], Position]
    counts: list[int]
    slowly: int
    openspiel: tuple[str, int] = ("", 0)


def on_ice(counts: list[int], slowly: int, tiling: str, seats: int = 2) -> Lines:
    fish, board = [1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 3, 2], penguins.board(tiling, 4, 3)
    start = partial(penguins.position, board, seats=seats, penguins=1, fish=fish)
    return Lines(start, counts, slowly)


def on_tiles(counts: list[int], slowly: int, **options: Any) -> Lines:
    options = {"deck": course(4), "discard": False, **options}
    return Lines(partial(carcassonne.position, **options), counts, slowly)


def with_queens(counts: list[int], slowly: int, size: int, queens: int = 4, deep: int = 0) -> Lines:
    called = f"amazons(board_size={size})" if deep else ""
    start = partial(amazons.position, boards.square(size), queens=queens)
    return Lines(start, counts, slowly, (called, deep))


LINES = {
    "flood square 4": Lines(
        partial(flood.position, "square:4", colors=4), [1, 3, 6, 15, 33, 81, 171, 347], 7
    ),
    "flood torus 4, 3 seats": Lines(
        partial(flood.position, "torus:4", colors=5, seats=3, coloring="random", seed=1),
        [1, 3, 9, 13, 29, 53, 67, 116],
        7,
    ),
    "flood hatched 6, capture": Lines(
        partial(flood.position, "hatched:6", colors=6, variant="capture", seed=2),
        [1, 3, 9, 30, 106, 405, 1554, 5919],
        6,
    ),
    "flood donut 6, forbidden": Lines(
        partial(flood.position, "donut:6", colors=6, forbidden=2, coloring="random", seed=3),
        [1, 3, 9, 24, 57, 137, 293, 662],
        7,
    ),
    "flood square 4, alone": Lines(
        partial(flood.position, "square:4", colors=3, seats=1), [1, 2, 3, 4, 2, 0, 0], 6
    ),
    "hex 3": Lines(
        partial(hex.position, 3, pie=False),
        [1, 9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960, 0],
        10,
        ("hex(board_size=3)", 4),
    ),
    "hex 3, swap": Lines(partial(hex.position, 3), [1, 9, 81, 576, 3528], 3),
    "hex 4": Lines(
        partial(hex.position, 4, pie=False), [1, 16, 240, 3360, 43680], 2, ("hex(board_size=4)", 3)
    ),
    "penguins full-tetra": on_ice([1, 7, 42, 183, 730, 2061, 5179], 5, "full-tetra"),
    "penguins full-hexa": on_ice([1, 7, 42, 239, 1190, 4289], 4, "full-hexa"),
    "penguins full-hexa, 3 seats": on_ice([1, 7, 42, 210, 1013, 4193], 4, "full-hexa", 3),
    "penguins octo-tetra": on_ice([1, 7, 42, 248, 1234, 4633], 4, "octo-tetra"),
    "penguins dodeca-hexa-tetra": on_ice([1, 7, 42, 161, 504, 1838], 5, "dodeca-hexa-tetra"),
    "penguins penrose": on_ice([1, 7, 42, 146, 477, 1001], 5, "penrose"),
    "carcassonne no-meeple": on_tiles([1, 3, 9, 18, 58, 58, 140, 0], 7, mode="no-meeple"),
    "carcassonne finite": on_tiles([1, 3, 52, 104, 1952], 3, mode="finite", meeples=1),
    "carcassonne infinite, discard, 3 seats": on_tiles(
        [1, 3, 52, 104, 1957], 3, mode="infinite", discard=True, seats=3
    ),
    "amazons 4, one queen": with_queens([1, 72, 3977, 180_576], 2, 4, queens=1),
    "amazons 4": with_queens([1, 88, 4336], 2, 4),
    "amazons 6": with_queens([1, 544, 238_532], 1, 6, deep=2),
    "amazons 8": with_queens([1, 1232, 1_331_198], 1, 8, deep=1),
    "amazons 10": with_queens([1, 2176, 4_307_152], 1, 10, deep=1),
}


@pytest.mark.parametrize("name", quickly(LINES, ["hex 3, swap"]))
def test_the_rules_count_the_lines(name: str) -> None:
    start, counts, *_ = LINES[name]
    assert perft(ByRules(start()), len(counts) - 1) == counts


@pytest.mark.parametrize("name", quickly(LINES, ["flood square 4"]))
def test_the_reference_counts_as_many(name: str) -> None:
    start, counts, slowly, _ = LINES[name]
    assert perft(twin(start()), slowly) == counts[: slowly + 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, lines in LINES.items() if lines.openspiel[1]])
def test_openspiel_counts_as_many(name: str) -> None:
    start, counts, _, (called, deep) = LINES[name]
    assert perft(OpenSpielTwin(start(), called), deep) == counts[: deep + 1]
