"""Small tournaments for the tests of the arena."""

from ludograph import flood
from ludograph.arena.tournament import Tournament
from ludograph.boards import square
from ludograph.games.registry import game
from ludograph.players.spec import parse_player

NAMES = ("greedy", "random", "valid")


def small(*names, seats=2, **settings):
    """A tournament on a board of 5 x 5."""
    rules = game("flood")
    names = names or NAMES

    def position(variant, seed):
        return flood.position(square(5 + variant), colors=4, seats=seats, seed=seed)

    specs = [parse_player(name, rules, seats) for name in names]
    return Tournament(position, specs, seats=seats, **{"seed": 0, **settings})


def kept(store, number):
    """All that a store knows of the games of a tournament, but for times."""
    from ludograph.arena.store import GameFilter

    return sorted(
        (one.start, one.seed, one.sentence, one.plies, tuple(seat.player for seat in one.seats))
        for one in store.games(GameFilter(tournaments=(number,)))
    )
