"""Observations of Amazons: queens and arrows, and the three tiles of a move."""

from ludograph.games.amazons.rules import ARROW, CELLS, FREE
from ludograph.games.amazons.setup import AmazonsSetup
from ludograph.rules import PLY, Moves, State, implements
from ludograph.rules.features import Features, ObservationInfo, observation, observe, touch

VERTEX_FEATURES = 4  # the observer's queen, the other seat's queen, an arrow, free
GAME_FEATURES = 1  # the share of the tiles with arrows
MOST_CODES = 1 << 16


@implements(observation, AmazonsSetup)
def amazons_observation(setup: AmazonsSetup) -> ObservationInfo:
    n = setup.offsets.size - 1
    codes = n * n * n if n * n * n <= MOST_CODES else 0
    return ObservationInfo(n, VERTEX_FEATURES, GAME_FEATURES, 1, 3 * setup.capacity, codes)


@implements(observe, AmazonsSetup)
def amazons_observe(
    setup: AmazonsSetup, state: State, seat: int, vertices: Features, game: Features
) -> None:
    n = setup.offsets.size - 1
    for tile in range(n):
        cell = state[CELLS + tile]
        vertices[tile, 0] = cell == 1 + seat
        vertices[tile, 1] = cell == 2 - seat
        vertices[tile, 2] = cell == ARROW
        vertices[tile, 3] = cell == FREE
    game[0] = state[PLY] / n


@implements(touch, AmazonsSetup)
def amazons_touch(
    setup: AmazonsSetup,
    state: State,  # noqa: ARG001
    moves: Moves,
    kinds: Moves,
    ends: Moves,
    vertices: Moves,
) -> None:
    n = setup.offsets.size - 1
    for place in range(moves.size):
        move = moves[place]
        kinds[place] = 0
        vertices[3 * place] = move // (n * n)
        vertices[3 * place + 1] = move // n % n
        vertices[3 * place + 2] = move % n
        ends[place] = 3 * place + 3
