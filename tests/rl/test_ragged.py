"""Games on boards of different sizes in lockstep are the games on each board by itself."""

import numpy as np
import pytest

from ludograph import boards, rl, rules
from ludograph.errors import InvalidInput
from ludograph.rl.vector_env import GameVectorEnv
from ludograph.rules import implements
from ludograph.rules.observer import Observer
from ludograph.search import BatchedSearch
from tests.amounts import slow_but
from tests.toys.nim import Nim
from tests.toys.nim_game import nim_game

BOARDS = {
    "hex": ["hexagonal:3", "square:4", "hexagonal:4"],
    "flood": ["hatched:3", "square:5"],
    "penguins": ["full-tetra:5", "full-tetra:6"],
    "amazons": ["square:4", "hexagonal:4"],
}
OPTIONS = {"amazons": {"queens": 2}}


def sampled(env, seen):
    return env.action_space.sample(mask=tuple(seen["action_mask"]))


@pytest.mark.usefixtures("plain_in_make_test")
@pytest.mark.parametrize("game", slow_but(["hex"], BOARDS))
def test_each_row_is_a_game_on_its_board(game) -> None:
    names, options = BOARDS[game], {"touches": True, **OPTIONS.get(game, {})}
    env = rl.vector(game, 2 * len(names), names, autoreset_mode="SameStep", **options)
    parts = [
        rl.vector(game, 2, name, autoreset_mode="SameStep", **options) for name in names
    ]  # fmt: skip
    seeds = list(range(2 * len(names)))
    seen, _ = env.reset(seed=seeds)
    apart = [part.reset(seed=seeds[2 * at : 2 * at + 2])[0] for at, part in enumerate(parts)]
    ended = 0
    for _ in range(50):
        assert env.observation_space.contains(seen)
        joined = env.ragged()
        check_joined(joined, parts, apart, by_code=env.observer.by_code)
        for at, own in enumerate(apart):
            for row in range(2):
                for name, array in own.items():
                    padded = seen[name][2 * at + row]
                    inside = padded[tuple(map(slice, array[row].shape))]
                    if name in ("kinds", "ends", "touched"):
                        continue  # behind the last move they have no meaning; see `joined`
                    assert np.array_equal(inside, array[row])
                    rest = padded.sum(dtype=float) - inside.sum(dtype=float)
                    assert rest == (inside.size - padded.size if name == "moves" else 0)
        actions = sampled(env, seen)
        seen, rewards, over, _, _ = env.step(actions)
        for at, part in enumerate(parts):
            rows = slice(2 * at, 2 * at + 2)
            apart[at], own_rewards, own_over, _, _ = part.step(actions[rows])
            assert np.array_equal(own_rewards, rewards[rows])
            assert np.array_equal(own_over, over[rows])
        ended += over.sum()
    assert ended


def check_joined(joined, parts, apart, *, by_code) -> None:
    """Check the one graph of all games against the observations of the single boards."""
    offsets, ends = joined["offsets"], joined["move_offsets"]
    touches = joined["touched_offsets"]
    game = 0
    for part, seen in zip(parts, apart, strict=True):
        board = part.blocks[0].start.board
        for row in range(2):
            first = offsets[game]
            vertices = joined["vertices"][first : offsets[game + 1]]
            assert np.array_equal(vertices, seen["vertices"][row])
            assert np.array_equal(joined["game"][game], seen["game"][row])
            inside = (joined["edges"] >= first) & (joined["edges"] < offsets[game + 1])
            assert np.array_equal(inside[0], inside[1])
            found = {(int(a), int(b)) for a, b in (joined["edges"][:, inside[0]] - first).T}
            pairs = {(v, int(w)) for v in range(board.n) for w in board.neighbors_of(v)}
            assert found == pairs
            codes = seen["moves"][row][seen["moves"][row] >= 0]
            own = slice(ends[game], ends[game + 1])
            assert np.array_equal(joined["moves"][own], codes)
            places = codes if by_code else np.arange(codes.size)
            assert np.array_equal(joined["actions"][own], places)
            assert np.array_equal(joined["kinds"][own], seen["kinds"][row, : codes.size])
            begin = 0
            for place, end in enumerate(seen["ends"][row, : codes.size]):
                at = ends[game] + place
                cells = joined["touched"][touches[at] : touches[at + 1]] - first
                assert np.array_equal(cells, seen["touched"][row, begin:end])
                begin = end
            game += 1
    assert game == offsets.size - 1
    assert offsets[-1] == len(joined["vertices"])


def test_an_ended_game_has_no_moves_in_the_one_graph() -> None:
    env = rl.vector("hex", 2, ["hexagonal:3", "hexagonal:4"], touches=True)
    seen, _ = env.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        seen, _, ended, _, _ = env.step(sampled(env, seen))
    found = env.ragged()
    assert (np.diff(found["move_offsets"])[ended] == 0).all()
    assert (np.diff(found["move_offsets"])[~ended] > 0).all()


def test_a_search_of_positions_on_different_boards_finds_what_each_alone_finds() -> None:
    env = rl.vector("hex", 6, ["hexagonal:3", "square:4", "hexagonal:4"], touches=True)
    env.reset(seed=1)
    env.step(env.sample())
    positions, calls = env.positions(), []

    def evaluate(seen):
        """Judge each move by the features of the vertices that it touches."""
        found = searches.ragged()
        rows = np.repeat(np.arange(len(seen["game"])), np.diff(found["move_offsets"]))
        moves = np.repeat(np.arange(rows.size), np.diff(found["touched_offsets"]))
        weights = found["vertices"][found["touched"]] @ np.arange(found["vertices"].shape[1])
        policy = np.zeros(seen["action_mask"].shape)
        policy[rows, found["actions"]] = np.bincount(moves, weights, rows.size) / 8
        calls.append(len(policy))
        return policy, np.zeros(len(policy))

    def search(positions):
        nonlocal searches
        searches = BatchedSearch(evaluate, simulations=20, touches=True)
        return searches.search(positions, seeds=[1] * len(positions))

    searches = None
    together = search(positions)
    assert set(calls) == {6}
    for row, position in enumerate(positions):
        alone = search([position])
        assert alone.moves[0] == together.moves[row]
        actions = alone.visits.shape[1]
        assert np.array_equal(alone.visits[0], together.visits[row, :actions])
        assert not together.visits[row, actions:].any()
    with pytest.raises(InvalidInput, match=r"\bno search\b"):
        BatchedSearch(evaluate).ragged()


def test_random_graphs_of_one_game() -> None:
    path = boards.from_edges(3, np.array([[0, 1], [1, 2]]))
    star = boards.from_edges(5, np.array([[0, 1], [0, 2], [0, 3], [0, 4]]))
    env = rl.vector("flood", 4, [path, star], colors=3)
    env.reset(seed=1)
    found = env.ragged()
    assert found["offsets"].tolist() == [0, 3, 6, 11, 16]
    assert found["edges"].shape == (2, 2 * (4 + 8))


def test_an_observation_without_the_board_s_vertices_has_no_edges() -> None:
    env = GameVectorEnv([nim_game.position()], 2)
    env.reset(seed=1)
    found = env.ragged()
    assert found["offsets"].tolist() == [0, 0, 0]
    assert found["edges"].shape == (2, 0)


class SeenNim(Nim):
    """Nim whose observation shows how large its arrays are."""


@implements(rules.observation, SeenNim)
def seen_nim_observation(setup):
    return rules.ObservationInfo(
        vertices=setup.heaps.size,
        vertex_features=1,
        game_features=1,
        kinds=1,
        touched=setup.heaps.size,
        codes=0,
    )


@implements(rules.observe, SeenNim)
def seen_nim_observe(setup, state, seat, vertices, game):
    vertices[:] = np.float32(vertices.shape[0])
    game[0] = seat


@implements(rules.touch, SeenNim)
def seen_nim_touch(setup, state, moves, kinds, ends, vertices):
    for place in range(moves.size):
        kinds[place], ends[place] = 0, 0
    vertices[0] = vertices.size


rules.register(
    SeenNim, seen_nim_observation, seen_nim_observe, seen_nim_touch, otherwise=Nim
)  # fmt: skip


def test_the_rules_of_a_smaller_board_get_arrays_of_its_own_size() -> None:
    small, large = (SeenNim(np.ones(heaps, np.int32), 1) for heaps in (2, 3))
    observer = Observer(small, 2, touches=True, others=[large])
    for row, setup in enumerate((small, large)):
        state = np.zeros((1, rules.info(setup).state_size), np.int32)
        rules.start(setup, state[0])
        observer.observe(setup, state, row)
    assert observer.arrays["vertices"][:, :, 0].tolist() == [[2, 2, 0], [3, 3, 3]]
    assert observer.arrays["touched"][:, 0].tolist() == [2, 3]
