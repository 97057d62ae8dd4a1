"""The fast rules and the slow reference play the same games, move by move."""

import random

import networkx as nx
import pytest

from ludograph import boards, flood, rules
from ludograph.games.flood.setup import forbidden_sets, vertex_colors
from ludograph.games.flood.zones import SIZE, zone_at
from tests.amounts import few
from tests.reference import flood as reference

BOARDS = {
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
GAMES = few(150, 3000)


def twin(position) -> reference.ReferenceFlood:
    """The same game for the reference."""
    setup, board = position.setup, position.board
    return reference.ReferenceFlood(
        [board.neighbors_of(v).tolist() for v in range(board.n)],
        vertex_colors(setup).tolist(),
        setup.start_vertices.tolist(),
        forbidden_sets(setup),
        "capture" if setup.capture else "standard",
    )


def fast_moves(position) -> list[int | None]:
    """The legal moves in the reference's words."""
    passing = position.setup.color_count
    return [None if move == passing else move for move in position.legal_moves()]


def compare(position, slow: reference.ReferenceFlood) -> None:
    assert position.turn == slow.turn
    assert position.ply == slow.ply
    assert position.is_over == slow.over
    assert fast_moves(position) == slow.legal_moves()
    assert position.colors.tolist() == slow.colors
    if slow.captured:  # there the prey's zone is the captor's to the reference
        return
    for seat in range(position.seats):
        assert set(position.zone(seat).tolist()) == slow.zone(seat)
        assert position.color_of_zone(seat) == slow.colors[slow.starts[seat]]
        assert position.state[zone_at(seat) + SIZE] == len(slow.zone(seat))


def random_position(rng: random.Random, family: str):
    colors = rng.randint(2, 6)
    seats = rng.choice([1, 2, 2, 2, min(3, colors), min(4, colors)])
    return flood.position(
        BOARDS[family](rng.randint(2, 3)),
        colors=colors,
        coloring=rng.choice(["cyclic", "random", "blocks", "balanced"]),
        seats=seats,
        forbidden=rng.choice([0, 0, 1, colors - 1]),
        variant=rng.choice(["standard", "capture"]) if seats > 1 else "standard",
        seed=rng.getrandbits(32),
    )


@pytest.mark.parametrize("family", BOARDS)
def test_random_games_agree(family: str) -> None:
    rng = random.Random(family)
    for _ in range(GAMES):
        position = random_position(rng, family)
        slow = twin(position)
        whole = rng.random() < 0.1  # compare everything after each move in one game of ten
        while not slow.over:
            legal = slow.legal_moves()
            assert fast_moves(position) == legal
            if whole:
                compare(position, slow)
            # A random pass ends a game soon: play most games long.
            choices = legal if rng.random() < 0.2 or len(legal) == 1 else legal[: len(legal) - 1]
            move = rng.choice(choices) if position.seats > 1 else rng.choice(legal)
            rules.play(
                position.setup,
                position.state,
                position.setup.color_count if move is None else move,
            )
            slow.play(move)
        compare(position, slow)
        assert list(position.scores()) == slow.scores()


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["standard", "capture"])
def test_games_with_dropped_seats_agree(variant: str) -> None:
    rng = random.Random(variant)
    for _ in range(1500):
        seats = rng.randint(3, 5)
        position = flood.position(
            boards.square(4), colors=6, seats=seats, variant=variant, seed=rng.getrandbits(32)
        )
        slow = twin(position)
        drops = rng.sample(range(seats), rng.randint(1, seats - 1))
        while not slow.over:
            if drops and rng.random() < 0.15:
                seat = drops.pop()
                position.drop(seat)
                slow.drop(seat)
                compare(position, slow)
                continue
            move = rng.choice(slow.legal_moves())
            position.play(position.setup.color_count if move is None else move)
            slow.play(move)
            compare(position, slow)
        assert list(position.scores()) == slow.scores()


def test_equal_keys_mean_equal_positions() -> None:
    rng = random.Random(5)
    seen: dict[tuple[int, int], bytes] = {}
    starts = few(10, 40)
    for seed in range(starts):
        start = flood.position(boards.square(4), colors=4, seed=seed)
        for _ in range(60):
            position = start.copy()
            while not position.is_over:
                position.play(rng.choice(position.legal_moves()))
                colors, owners = position.colors, position.zones
                shown = (
                    colors.tobytes()
                    + owners.tobytes()
                    + bytes([(position.turn or 0) + 1, position.is_over, int(position.state[2])])
                )
                key = (seed, int(rules.key(position.setup, position.state)))
                assert seen.setdefault(key, shown) == shown
    assert len(seen) > 125 * starts


def test_transposed_moves_meet_in_one_key() -> None:
    """Two orders of moves that lead to the same zones are one position to a search."""
    graph = nx.Graph([(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 5)])
    board = boards.from_networkx(graph)
    make = lambda: flood.position(  # noqa: E731
        board, colors=6, coloring=[0, 1, 2, 3, 4, 5], starts=[0, 5], forbidden=0
    )
    one, other = make(), make()
    for text in ("red", "pass", "green", "pass", "yellow"):
        one.play(text)
    for text in ("green", "pass", "red", "pass", "yellow"):
        other.play(text)
    assert rules.key(one.setup, one.state) == rules.key(other.setup, other.state)
