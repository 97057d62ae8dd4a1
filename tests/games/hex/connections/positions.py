"""Random positions as sets of cells, and as nodes with their neighbors."""

from ludograph import hex
from ludograph.games.hex import BLACK, WHITE, hex_board
from ludograph.games.hex.connections.search import NO_CONNECTION, SEMI, VIRTUAL, connect
from ludograph.games.hex.connections.verdicts import make_workspace
from ludograph.rules.kernels.sets import as_int, from_int


class Board:
    """A board, its stones by color and its free cells as the bits of numbers."""

    def __init__(self, kind, m):
        self.setup = hex.position(hex_board(m, kind), pie=False).setup
        self.workspace = make_workspace(self.setup)
        self.cells = self.setup.free.size
        self.stones = [0, 0]

    @property
    def free(self):
        return (1 << self.cells) - 1 & ~(self.stones[BLACK] | self.stones[WHITE])

    def scatter(self, rng, count):
        """Put down so many stones of both colors, in turns."""
        places = rng.permutation(self.cells)[:count].tolist()
        self.stones = [bits_of(places[::2]), bits_of(places[1::2])]

    def connect(self, color, moves_first):
        """What is found of a color: its kind, its carrier, where the other must play."""
        workspace, words = self.workspace, len(self.workspace.board)
        found, carrier, must_play = connect(
            workspace.near,
            from_int(self.stones[color], words),
            from_int(self.free, words),
            workspace.sides[color],
            moves_first,
            workspace.connections,
        )
        return int(found), as_int(carrier), as_int(must_play)

    def network(self, color):
        """The neighbors of each node of a color, and which nodes are free cells.

        Nodes are free cells, groups by their lowest stones, and the two borders, with what hangs
        on them, as the two numbers after the cells.
        """
        free = cells_of(self.free)
        links = {cell: self.around(cell) for cell in range(self.cells)}
        borders = [self.cells, self.cells + 1]
        for cell in range(self.cells):
            touches = int(self.setup.touches[self.setup.free[cell]])
            links[cell] |= {borders[side] for side in (0, 1) if touches >> 2 * color + side & 1}
        group = dict(zip(borders, borders, strict=True))
        own = cells_of(self.stones[color])
        for start in [*borders, *sorted(own)]:
            if start in group and start not in borders:
                continue
            name, waiting = start, [start]
            while waiting:
                here = waiting.pop()
                near = links[here] if here not in borders else touching(links, here)
                for cell in near & own - group.keys():
                    group[cell] = name
                    waiting.append(cell)
            group[start] = name
        neighbors = {node: set() for node in {*free, *group.values()}}
        for cell in free:
            for other in links[cell]:
                node = other if other in free else group.get(other)
                if node is not None:
                    neighbors[cell].add(node)
                    neighbors[node].add(cell)
        return neighbors, free

    def around(self, cell):
        return cells_of(as_int(tuple(self.workspace.near[cell])))


def touching(links, border):
    return {cell for cell, near in links.items() if border in near}


def bits_of(cells):
    return sum(1 << cell for cell in cells)


def cells_of(bits):
    return {cell for cell in range(bits.bit_length()) if bits >> cell & 1}


def check_claim(judge, stones, free, color, found, moves_first=False):
    """Check a claim: its cells are enough, and a move elsewhere than where it must be loses.

    Virtual: whoever moves. Semi: moving first.
    """
    kind, carrier, must_play = found
    if kind == NO_CONNECTION:
        assert moves_first or must_play == free
        return
    assert carrier & ~free == 0
    others = list(stones)
    others[1 - color] |= free & ~carrier
    assert judge.solve(*others, 1 - color if kind == VIRTUAL else color).winner == color
    if kind == SEMI and not moves_first:
        for cell in cells_of(carrier & ~must_play):
            after = list(others)
            after[1 - color] |= 1 << cell
            assert judge.solve(*after, color).winner == color
