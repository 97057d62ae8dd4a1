"""Small tournaments for the tests of the arena."""

from ludograph import flood
from ludograph.arena.tournament import Tournament
from ludograph.boards import square
from ludograph.games.registry import game
from ludograph.players.spec import parse_player
from ludograph.referee.options import MatchOptions

NAMES = ("greedy", "random", "valid")


def small(*names, seats=2, clock=None, isolation=None, **settings):
    """A tournament on a board of 5 x 5."""
    options = MatchOptions.checked(clock=clock, isolation=isolation)
    rules = game("flood")
    names = names or NAMES

    def position(variant, seed):
        return flood.position(square(5 + variant), colors=4, seats=seats, seed=seed)

    specs = [parse_player(name, rules, seats) for name in names]
    return Tournament(
        position, specs, seats=seats, match_options=options, **{"seed": 0, **settings}
    )


def kept(store, number):
    """All that a store knows of the games of a tournament, but for times."""
    from ludograph.arena.store import GameFilter

    return sorted(
        (one.start, one.seed, one.sentence, one.plies, tuple(seat.player for seat in one.seats))
        for one in store.games(GameFilter(tournaments=(number,)))
    )
