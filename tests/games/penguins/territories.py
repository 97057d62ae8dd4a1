"""A slow, obvious territory of each seat."""

from tests.games.penguins.boards import around

FAR = 10**6


def steps_of(position, seat: int) -> dict[int, int]:
    """In how many steps over free tiles a seat's penguins reach each tile."""
    board = around(position.board)
    steps = dict.fromkeys(position.penguins(seat), 0)
    layer = list(steps)
    while layer:
        layer = [
            near
            for near in {near for tile in layer for near in board[tile] if near is not None}
            if position.is_free(near) and near not in steps
        ]
        steps |= dict.fromkeys(layer, max(steps.values()) + 1)
    return steps


def territories(position) -> list[int]:
    """The fish on the free tiles that each seat reaches in fewer steps than any other."""
    fish = [0] * position.seats
    playing = [seat for seat in range(position.seats) if not position.is_eliminated(seat)]
    steps = {seat: steps_of(position, seat) for seat in playing}
    for tile in filter(position.is_free, range(position.board.n)):
        away = {seat: steps[seat].get(tile, FAR) for seat in playing}
        first = [seat for seat in playing if away[seat] == min(away.values())]
        if len(first) == 1:
            fish[first[0]] += position.fish(tile)
    return fish


def lead_of_territories(position, seat: int) -> float:
    """How many fish a seat is ahead with its territory."""
    values = list(position.scores())
    if not position.is_over:
        values = [sum(each) for each in zip(values, territories(position), strict=True)]
    own = values.pop(seat)
    return own - max(values)
