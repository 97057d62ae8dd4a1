"""Penguins that nobody else can get to: the end is proven before it is played."""

import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.games.penguins.evaluation import make_search_setup
from ludograph.games.penguins.isolated import isolated_regions
from ludograph.search import alphabeta
from ludograph.search.hints import proven_scores
from ludograph.search.searched import OWN
from tests.amounts import few
from tests.games.penguins.boards import TILINGS
from tests.games.twins import twin
from tests.reference.penguins import ReferencePenguins
from tests.reference.penguins_eat import most_fish

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


def settled(position):
    out = np.zeros(position.seats)
    return (
        out.tolist()
        if proven_scores(penguins.search_view(position, OWN).setup, position.state, out)
        else None
    )


def are_isolated(game: ReferencePenguins) -> bool:
    """Whether no free tile is joined by free tiles to penguins of two players who move."""
    owner: dict[int, int] = {}
    for tile, seat in game.standing.items():
        if seat in game.dropped:
            continue
        queue = [tile]
        while queue:
            for near in game.around[queue.pop()]:
                if near is None or near in game.melted or near in game.standing:
                    continue
                if near not in owner:
                    owner[near] = seat
                    queue.append(near)
                elif owner[near] != seat:
                    return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize(("seats", "count"), [(2, 1), (2, 2), (3, 1)])
def test_the_end_is_proven_once_nobody_can_get_to_anothers_tiles(tiling, seats, count) -> None:
    rng = rules.random_state(5)
    proven = 0
    for seed in range(few(4, 12)):
        position = penguins.position(
            penguins.board(tiling, 5, 5), seats=seats, penguins=count, seed=seed
        )
        slow = twin(position)
        game = slow.game
        while not position.is_over:
            placing = position.ply < seats * count
            assert placing or are_isolated(game) or settled(position) is None
            free = position.board.n - len(game.melted) - len(game.standing)
            if not placing and are_isolated(game) and free <= 10:
                wanted = [game.scores()[seat] + most_fish(game, seat) for seat in range(seats)]
                assert settled(position) == wanted
                proven += 1
            slow.play(position.play_random(rng))
    assert proven > few(2, 8)


@pytest.mark.slow
def test_a_seat_that_was_eliminated_is_in_nobodys_way() -> None:
    position = penguins.position(penguins.board("full-tetra", 3, 3), penguins=1, fish=[1] * 9)
    for tile in ("0", "8"):
        position.play(tile)
    assert settled(position) is None
    position.drop(0)
    assert settled(position) == [-1.0, 8.0]


def test_a_proof_that_takes_too_long_is_left_out() -> None:
    position = penguins.position(penguins.board("full-hexa", 6, 6), penguins=1, seed=1)
    position.play(position.legal_moves()[0])
    position.play(position.legal_moves()[-1])
    position.drop(0)
    hasty = make_search_setup(position.setup, effort=20, memo=64)
    patient = make_search_setup(position.setup, effort=10**6, memo=64)
    out = np.zeros(2)
    for _ in range(2):  # also when it is known already that it takes too long
        assert not proven_scores(hasty, position.state, out)
    for _ in range(2):
        assert proven_scores(patient, position.state, out)
        assert position.setup.fish.sum() / 2 < out[1] <= position.setup.fish.sum()


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
def test_searches_find_the_same_with_and_without(tiling: str) -> None:
    for seed in range(4):
        position = penguins.position(penguins.board(tiling, 4, 4), penguins=1, seed=seed)
        rng = rules.random_state(seed)
        for _ in range(4):
            position.play_random(rng)
        if position.is_over:
            continue
        one = alphabeta.search(penguins.search_view(position, OWN).setup, position.state)
        other = alphabeta.search(position.setup, position.state)
        assert one.exact
        assert other.exact
        assert one.value == other.value
        assert one.nodes <= other.nodes


def reach(game: ReferencePenguins, tile: int) -> set[int]:
    """The free tiles that a penguin on a tile can get to."""
    found: set[int] = set()
    queue = [tile]
    while queue:
        for near in game.around[queue.pop()]:
            if game.is_free(near) and near not in found:
                found.add(near)
                queue.append(near)
    return found


@pytest.mark.parametrize("tiling", TILINGS)
def test_regions_are_what_penguins_of_a_seat_reach_together(tiling) -> None:
    rng = rules.random_state(6)
    isolated = 0
    for seed in range(6):
        position = penguins.position(penguins.board(tiling, 6, 5), seats=3, penguins=2, seed=seed)
        slow = twin(position)
        game = slow.game
        while not position.is_over:
            slow.play(position.play_random(rng))
            for seat in range(3):
                regions, contested = isolated_regions(position.setup, position.state, seat)
                own = [(tile, reach(game, tile)) for tile in position.penguins(seat)]
                others = set().union(
                    *(reach(game, tile) for tile, owner in game.standing.items() if owner != seat)
                )
                told = {tile: set(region.free) for region in regions for tile in region.tiles}
                for tile, free in own:
                    together = free.union(*(more for _, more in own if more & free))
                    if free and not together & others:
                        assert told.pop(tile) == together
                        isolated += 1
                assert not told
                able = sum(bool(free) for _, free in own)
                assert len(contested) + sum(len(region.tiles) for region in regions) == able
                assert len({tile for region in regions for tile in region.free}) == sum(
                    len(region.free) for region in regions
                )
    assert isolated > 50


def test_every_search_has_a_memo_of_its_own() -> None:
    position = penguins.position(penguins=1)
    one, other = (penguins.search_view(position, OWN).setup for _ in range(2))
    assert one.base is other.base is position.setup
    assert not np.shares_memory(one.memo, other.memo)
