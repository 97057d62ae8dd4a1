"""What best play of two leads to in Penguins, by trying everything: slow and obvious."""

from tests.reference.penguins import ReferencePenguins

Known = dict[tuple[object, ...], int]


def best_margin(game: ReferencePenguins, known: Known) -> int:
    """The fish of seat 0 less those of seat 1 at the end, from what is stepped on from now on.

    Args:
        game: a game of two players.
        known: what has been found for other positions of the same game.

    """
    if game.over:
        return 0
    key = (game.turn, frozenset(game.standing.items()), frozenset(game.melted))
    if key not in known:
        sign = -1 if game.turn else 1
        values = []
        for move in game.legal_moves():
            after = game.copy()
            after.play(move)
            tile = move[1] if isinstance(move, tuple) else move
            values.append(sign * game.fish[tile] + best_margin(after, known))
        known[key] = sign * max(sign * value for value in values)
    return known[key]
