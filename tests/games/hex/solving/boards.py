"""Random positions of the usual board as sets of cells."""

from ludograph import hex
from ludograph.games.hex.solving import solve_position
from ludograph.search.proof import WIN


def random_stones(rng, n, stones=None):
    """Black's and white's stones, equal numbers or one black more, and the color to move."""
    count = int(rng.integers(0, n * n)) if stones is None else stones
    cells = rng.permutation(n * n)[:count].tolist()
    black, white = (sum(1 << cell for cell in cells[first::2]) for first in (0, 1))
    return black, white, count % 2


def random_position(rng, n, pie, plies):
    """A position after random moves that is not over, the swap among them where it is allowed."""
    while True:
        position = hex.position(n, pie=pie)
        for _ in range(plies):
            position.play(int(rng.choice(position.legal_moves())))
            if position.is_over:
                break
        else:
            return position


def wins_by(position, move, solver):
    """Tell whether the side that makes a move wins, by the solver."""
    after = position.copy()
    after.play(move)
    return after.is_over or solve_position(after, solver=solver).value != WIN


def cells(bits):
    return [cell for cell in range(bits.bit_length()) if bits >> cell & 1]
