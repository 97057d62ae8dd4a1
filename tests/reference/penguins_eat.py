"""The most fish that penguins can eat alone, by trying everything: slow and obvious."""

from tests.reference.penguins import ReferencePenguins


def most_fish(game: ReferencePenguins, seat: int) -> int:
    """The fish on all tiles that a seat can still step on, moving alone in the best order."""
    moves = game.moves_of(seat)
    best = 0
    for source, tile in moves:
        after = game.copy()
        after.turn = seat
        after.play((source, tile))
        best = max(best, game.fish[tile] + most_fish(after, seat))
    return best
