"""Who wins a position of the usual board, by trying every move to the end: slow and obvious."""

import functools

from ludograph.games.hex import BLACK, WHITE


def neighbors(n, cell):
    row, column = divmod(cell, n)
    for down, right in ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)):
        if 0 <= row + down < n and 0 <= column + right < n:
            yield (row + down) * n + column + right


def joins_borders(n, stones, color):
    """Whether a set of cells of a color leads from its first border to the other one."""

    def side(cell):
        return cell // n if color == BLACK else cell % n

    seen = {cell for cell in stones if side(cell) == 0}
    waiting = list(seen)
    for cell in waiting:  # grows as it is walked
        fresh = [other for other in neighbors(n, cell) if other in stones and other not in seen]
        seen.update(fresh)
        waiting += fresh
    return any(side(cell) == n - 1 for cell in seen)


def winner(n, black, white, color):
    """The color that wins, by the stones as sets of cells and who is to move."""

    @functools.cache
    def wins(stones, to_move):
        """Whether who is to move wins; the other one moved last."""
        if joins_borders(n, stones[1 - to_move], 1 - to_move):
            return False
        free = everything - stones[BLACK] - stones[WHITE]
        return any(not wins(after(stones, to_move, cell), 1 - to_move) for cell in free)

    def after(stones, to_move, cell):
        own = stones[to_move] | {cell}
        return (own, stones[WHITE]) if to_move == BLACK else (stones[BLACK], own)

    everything = frozenset(range(n * n))
    stones = frozenset(black), frozenset(white)
    if joins_borders(n, stones[color], color):
        return color
    return color if wins(stones, color) else 1 - color
