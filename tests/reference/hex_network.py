"""The network of Hex by its definition: each cell asks each cell around, in double precision."""

import numpy as np

from ludograph.games.hex.evaluation.network import AROUND, MARGIN, REACH


def planes_of(board):
    """Return what is where: own stones, others, the board itself; borders go on for two rows.

    ``board`` is 0 where free, 1 for the color that joins top and bottom and is to move, else 2.
    """
    size = len(board)

    def seen(row, column):
        tall, wide = 0 <= row < size, 0 <= column < size
        if tall and wide:
            stone = board[row][column]
            return [stone == 1, stone == 2, True]
        return [wide and not tall, tall and not wide, False]

    beyond = range(-2 * MARGIN, size + 2 * MARGIN)
    far = [max(-row, row - size + 1, 0) for row in beyond]
    rows = []
    for row, down in zip(beyond, far, strict=True):
        rows.append(
            [
                seen(row, column) if max(down, right) <= MARGIN else [False] * 3
                for column, right in zip(beyond, far, strict=True)
            ]
        )
    return np.array(rows, float)


def judged(layers, board):
    """Return the logits of all cells as moves, and the logit that the color to move wins."""
    layers = type(layers)(*(field.astype(float) for field in layers))
    size = len(board)
    planes, edge = planes_of(board), 2 * MARGIN
    found = np.zeros((size + 2, size + 2, layers.policy.size))
    for row in range(size):
        for column in range(size):
            total = layers.stones_bias.copy()
            for place, (down, right) in enumerate(REACH):  # from what is there to this cell
                seen = planes[row - down + edge, column - right + edge]
                total += seen @ layers.stones[:, place]
            found[row + 1, column + 1] = np.maximum(total, 0)
    for weights, bias in zip(layers.body, layers.body_bias, strict=True):
        before = found.copy()
        for row in range(1, size + 1):
            for column in range(1, size + 1):
                total = bias.copy()
                for place, (down, right) in enumerate(AROUND):
                    total += before[row + down, column + right] @ weights[place]
                found[row, column] += np.maximum(total, 0)
    features = found[1:-1, 1:-1]
    told = np.maximum(features @ layers.gather + layers.gather_bias, 0).reshape(size * size, -1)
    pooled = np.concatenate([told.mean(axis=0), told.max(axis=0)])
    hidden = np.maximum(pooled @ layers.hidden + layers.hidden_bias, 0)
    return features @ layers.policy, hidden @ layers.worth[:-1] + layers.worth[-1]
