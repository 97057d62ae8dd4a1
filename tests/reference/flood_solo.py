"""The optimum of solo Flood, by breadth-first search over zones, for small boards."""

from collections.abc import Collection, Sequence


def solve(
    adjacency: list[list[int]],
    colors: Sequence[int],
    start: int = 0,
    forbidden: Collection[int] = (),
) -> tuple[int, list[int]] | None:
    """The fewest moves that make the board one color, and one such sequence of colors.

    Outside the zone every vertex keeps its first color, so the zone alone (a bit mask of vertices)
    is the whole state. Zones are visited in the order of the number of moves that reach them.
    `None` if forbidden colors make it impossible.
    """
    around = [sum(1 << w for w in neighbors) for neighbors in adjacency]
    of_color = {c: sum(1 << v for v, d in enumerate(colors) if d == c) for c in set(colors)}
    playable = sorted(set(colors) - set(forbidden))
    everything = (1 << len(adjacency)) - 1

    first = _grow(1 << start, of_color[colors[start]], around)
    reached: dict[int, tuple[int, int] | None] = {first: None}  # zone -> (zone before, color)
    level = [first]
    while level:
        if everything in reached:
            moves = _moves_to(everything, reached)
            return len(moves), moves
        following = []
        for zone in level:
            for color in playable:
                larger = _grow(zone, of_color[color], around)
                if larger not in reached:
                    reached[larger] = (zone, color)
                    following.append(larger)
        level = following
    return None


def _grow(zone: int, allowed: int, around: list[int]) -> int:
    """The zone with all that is connected to it through `allowed` vertices."""
    waiting = zone
    while waiting:
        v = waiting.bit_length() - 1
        waiting ^= 1 << v
        new = around[v] & allowed & ~zone
        zone |= new
        waiting |= new
    return zone


def _moves_to(zone: int, reached: dict[int, tuple[int, int] | None]) -> list[int]:
    moves: list[int] = []
    while (step := reached[zone]) is not None:
        zone, color = step
        moves.append(color)
    return moves[::-1]
