"""Games for the tests of the arena."""

from ludograph.arena import Forfeit, PlayedGame

WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


def game(start, seating, ranks=WON, *forfeits):
    """``game(0, "ab")``: a beat b."""
    return PlayedGame(start, tuple(seating), ranks, (), tuple(Forfeit(*one) for one in forfeits))


def match(one, other, wins, draws, losses, first=0):
    """Games on starts of their own, with seats that take turns."""
    results = [2] * wins + [1] * draws + [0] * losses
    games = []
    for number, points in enumerate(results):
        seating = (one, other) if number % 2 else (other, one)
        own = points if number % 2 else 2 - points
        games.append(game(first + number, seating, (LOST, DRAWN, WON)[own]))
    return games


def by_name(keys, strength=None):
    """Play games: the stronger one wins, or else the one that is first in the alphabet."""
    worth = (lambda name: (strength[name], name)) if strength else (lambda name: (name,))
    order = {key: sorted(key.seating, key=worth, reverse=strength is not None) for key in keys}
    return [
        PlayedGame(
            key.start, key.seating, tuple(order[key].index(name) + 1 for name in key.seating)
        )
        for key in keys
    ]
