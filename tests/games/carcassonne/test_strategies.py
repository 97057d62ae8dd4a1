"""The strategies of Carcassonne, and what a position is worth to them."""

import numpy as np
import pytest

from ludograph import carcassonne, rules
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.evaluation import (
    HALF_CHANCE,
    MEEPLE_VALUE,
    MEEPLES_VALUED,
    OPEN_SIDE,
    TILE_MISSES,
    node_count,
    share_values,
    write_odds,
)
from ludograph.games.carcassonne.setup import FINITE_MEEPLE
from ludograph.games.carcassonne.strategies import STRATEGIES
from ludograph.rules import OVER, TURN
from ludograph.search.mcts.hints import leaf_value
from tests.games.twins import twin
from tests.reference.carcassonne import POINTS
from tests.reference.carcassonne_odds import odds, open_cells
from tests.reference.carcassonne_world import across

pytestmark = pytest.mark.slow

MODES = ("no-meeple", "infinite", "finite")
VERTICES_OF_A_SIDE = {1: 2.0, 4: 1.0, 8: 3.0}
"""By the points of a terrain: so many ends make up a side that must be closed."""


def worth(position, slow) -> list[float]:
    """What the evaluation should say, from the reference's world."""
    setup = position.setup
    values = slow.scores()
    if slow.over:
        return values
    rest = sum(slow.left)
    late = rest / (rest + HALF_CHANCE)
    for part in slow.world.parts:
        faced = [across(*vertex) for vertex in part]
        ends = sum(other is not None and other[:2] not in slow.world.tiles for other in faced)
        points = POINTS.get(slow.world.terrain(part), 0)
        owners = [seat for vertex, seat in slow.meeples.items() if vertex in part]
        if ends and points and owners:
            chance = late * OPEN_SIDE ** (ends / VERTICES_OF_A_SIDE[points])
            value = points * slow.world.size(part) * chance * odds(slow, part, TILE_MISSES)
            counts = [owners.count(seat) for seat in range(setup.seats)]
            most = max(counts)
            if counts.count(most) == 1 and values[counts.index(most)] >= 0:
                values[counts.index(most)] += value
    if setup.mode == FINITE_MEEPLE:
        for seat in range(setup.seats):
            if seat not in slow.eliminated:
                values[seat] += MEEPLE_VALUE * late * min(MEEPLES_VALUED, slow.supply[seat])
    return values


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("seats", [2, 3])
def test_open_structures_are_worth_their_chance(mode: str, seats: int) -> None:
    for seed in range(3):
        position = carcassonne.position(mode=mode, seats=seats, meeples=3, discard=bool(seed % 2))
        slow = twin(position)
        rng = rules.random_state(seed)
        out = np.zeros(seats)
        while not position.is_over:
            slow.play(position.play_random(rng))
            if position.ply % 6 < 2:
                share_values(position.setup, position.state, out)
                assert out.tolist() == pytest.approx(worth(position, slow.game))
                rules.evaluate(position.setup, position.state, out)
                assert out.tolist() == pytest.approx(worth(position, slow.game))


@pytest.mark.usefixtures("plain_in_make_test")
def test_odds_of_claims_are_those_of_the_reference() -> None:
    position = carcassonne.position(deck=course(5), mode="finite", discard=True)
    slow = twin(position)
    open_claims = dead = 0
    rng = rules.random_state(2)
    while not position.is_over:
        slow.play(position.play_random(rng))
        if not position.is_chance:
            continue
        game = slow.game
        count = node_count(position.setup, position.state)
        found = np.ones(count)
        write_odds(position.setup, position.state, found, np.zeros(count, np.int32))
        parts = [p for p in game.world.parts if any(vertex in p for vertex in game.meeples)]
        wanted = [odds(game, part, TILE_MISSES) for part in parts if open_cells(game, part)]
        assert sorted(found[found < 1.0]) == pytest.approx(sorted(wanted))
        open_claims += len(wanted)
        dead += wanted.count(0.0)
    assert open_claims > dead > 0


@pytest.mark.parametrize("mode", MODES)
def test_greedy_takes_most_points(mode: str) -> None:
    player = STRATEGIES["greedy"].create({}, 1)
    for seed in range(3):
        position = carcassonne.position(mode=mode)
        rng = rules.random_state(seed)
        while not position.is_over:
            if position.is_chance:
                position.play_random(rng)
                continue
            leads = {}
            for move in position.legal_moves():
                after = position.copy()
                after.play(move)
                points = after.scores()
                leads[move] = points[position.turn] - points[1 - position.turn]
            move = player.choose(position)
            assert leads[move] == max(leads.values())
            position.play(move)


def test_greedy_draws_among_the_best() -> None:
    position = carcassonne.position(deck=course(8))
    while position.is_chance:
        position.play("deal GREEN")
    player = STRATEGIES["greedy"].create({}, 3)
    assert len({player.choose(position) for _ in range(60)}) == len(position.legal_moves())


@pytest.mark.usefixtures("plain_in_make_test")
def test_a_leaf_is_judged_after_the_best_reply() -> None:
    position = carcassonne.position(mode="finite")
    rng = rules.random_state(4)
    for _ in range(30):
        position.play_random(rng)
    while position.is_chance:
        position.play_random(rng)
    seat, leads, out = position.turn, [], np.zeros(2)
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        rules.evaluate(after.setup, after.state, out)
        leads.append(out[seat] - out[1 - seat])
    state = position.state.copy()
    leaf_value(position.setup, state, rng, out)
    assert out[seat] - out[1 - seat] == max(leads)
    assert state[TURN] != OVER
