"""Leads after the best reply agree with trying all replies."""

import numpy as np

from ludograph import penguins, rules
from ludograph.games.penguins.lookahead import leads_after_reply, make_scratch
from tests.games.penguins.boards import BOARDS, around


def test_leads_are_those_after_the_best_reply() -> None:
    position = penguins.position(BOARDS["full-hexa 5x6"], penguins=2, seed=3)
    rng = rules.random_state(3)
    for _ in range(8):
        position.play_random(rng)
    moves = np.array(position.legal_moves(), np.int32)
    leads = np.empty(moves.size)
    leads_after_reply(position.setup, position.state, moves, make_scratch(position.setup), leads)
    seat = position.turn
    for move, lead in zip(moves.tolist(), leads, strict=True):
        after = position.copy()
        after.play(move)
        worst = np.inf
        for reply in after.legal_moves():
            later = after.copy()
            later.play(reply)
            values = territory(later)
            worst = min(worst, values[seat] - values[1 - seat])
        assert lead == worst


def territory(position) -> list[float]:
    """Fish, and those on free tiles that a seat gets to first, sooner to move if even."""
    board = around(position.board)
    free = {tile for tile in range(position.board.n) if position.is_free(tile)}
    claimed: dict[int, int] = {}
    turn = position.turn or 0
    layer = [(tile, seat % 2) for seat in (turn, turn + 1) for tile in position.penguins(seat % 2)]
    while layer:
        following = []
        for seat in (turn % 2, (turn + 1) % 2):
            for tile, owner in layer:
                if owner == seat:
                    for near in board[tile]:
                        if near in free and near not in claimed:
                            claimed[near] = owner
                            following.append((near, owner))
        layer = following
    values = [float(score) for score in position.scores()]
    if not position.is_over:
        for tile, owner in claimed.items():
            values[owner] += position.setup.fish[tile]
    return values
