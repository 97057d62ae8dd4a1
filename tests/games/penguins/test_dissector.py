"""The strategy that cuts enemies off, and the cuts that it finds."""

import networkx as nx
import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.games.penguins.cuts import count_moves, minimum_cut
from ludograph.games.penguins.dissector import Dissector, best_cut
from ludograph.games.penguins.rules import MELTED, cells_at
from tests.amounts import few
from tests.games.penguins.boards import BOARDS
from tests.games.twins import twin
from tests.reference.penguins import ReferencePenguins

pytestmark = pytest.mark.slow


def played(name: str, seed: int, plies: int):
    """A position after some random plies, and the same for the slow rules."""
    position = penguins.position(BOARDS[name], seats=2, penguins=2, seed=seed)
    slow, rng = twin(position), rules.random_state(seed)
    while not position.is_over and position.ply < plies:
        slow.play(position.play_random(rng))
    return position, slow.game


def ways(game: ReferencePenguins, one: int, other: int) -> nx.Graph:
    """The free tiles and two penguins' tiles, joined where they touch; the two never directly."""
    graph = nx.Graph()
    graph.add_nodes_from([one, other])
    for tile in range(len(game.around)):
        for near in game.around[tile]:
            if game.is_free(near) and (game.is_free(tile) or tile in {one, other}):
                graph.add_edge(tile, near)
    return graph


@pytest.mark.parametrize("name", BOARDS)
def test_cuts_are_least_and_nearest_to_the_source(name: str) -> None:
    sizes = set()
    for seed in range(few(6, 12)):
        position, game = played(name, seed, 4 + 2 * seed)
        for one in game.tiles_of(0):
            for other in game.tiles_of(1):
                cut = set(minimum_cut(position.setup, position.state, one, other).tolist())
                count = len(cut)
                graph = ways(game, one, other)
                assert count == nx.node_connectivity(graph, one, other)
                assert all(game.is_free(tile) for tile in cut)
                parted = graph.subgraph(set(graph) - cut)
                assert not nx.has_path(parted, one, other)
                # No other least cut lies on this side: moving any tile of it away takes more.
                near = set(nx.node_connected_component(parted, one))
                for tile in cut:
                    heavy = graph.subgraph(near | cut).copy()
                    heavy.add_edges_from(("end", each) for each in cut)
                    heavy.remove_edge("end", tile)
                    heavy.add_edges_from((("end", "x", i), tile) for i in range(count + 1))
                    heavy.add_edges_from((("end", "x", i), "end") for i in range(count + 1))
                    assert nx.node_connectivity(heavy, one, "end") == count
                sizes.add(count)
    assert len(sizes) > few(1, 2)


@pytest.mark.parametrize("name", BOARDS)
def test_moves_to_a_tile_are_counted(name: str) -> None:
    for seed in range(6):
        position, game = played(name, seed, 6 + 3 * seed)
        moves, firsts = np.empty((2, position.board.n), np.int32)
        for tile in game.tiles_of(0):
            count_moves(
                position.setup,
                position.state,
                int(standing_penguin(position, tile)),
                moves,
                firsts,
            )
            wanted, layer, number = {}, {tile}, 0
            while layer:
                number += 1
                layer = {t for u in layer for t in game.in_reach(u)} - set(wanted)
                wanted |= dict.fromkeys(layer, number)
            assert {t: int(m) for t, m in enumerate(moves) if m >= 0} == wanted
            for goal, distance in wanted.items():
                source, *_, first = position.path(int(firsts[goal]))
                assert source == tile
                assert first in game.in_reach(tile)
                assert distance == 1 or wanted[first] == 1


def standing_penguin(position, tile: int) -> int:
    return position.state[cells_at(position.setup) + tile] - 1


@pytest.mark.parametrize(
    ("own", "enemy", "wanted"), [(7, 20, "7-11"), (0, 20, None), (7, 13, None)]
)
def test_a_cut_is_begun_where_the_enemy_comes_later(own, enemy, wanted) -> None:
    # Two rooms of three by three tiles, and between them tile 10, which 9 and 11 lead to.
    position = penguins.position(penguins.board("full-tetra", 7, 3), penguins=1, fish=[1] * 21)
    position.play(str(own))
    position.play(str(enemy))
    position.state[cells_at(position.setup) + np.array([3, 17])] = MELTED
    cut = best_cut(position.setup, position.state, [0])
    if wanted is None:
        assert cut is None
    else:
        assert position.text(cut[0]) == wanted
        assert cut[1] == (1 + 1 + 9) - (1 + 7)


def test_the_same_seed_plays_the_same() -> None:
    start = penguins.position(penguins=2, seed=4)
    moves = []
    for _ in range(2):
        position, player = start.copy(), Dissector(7)
        for _ in range(12):
            position.play(player.choose(position))
        moves.append(position.state.tolist())
    assert moves[0] == moves[1]
