"""The odds that tiles come for all free cells where a component of Carcassonne is open: slow."""

from tests.reference.carcassonne import ReferenceCarcassonne
from tests.reference.carcassonne_world import Part, across, turned


def open_cells(playing: ReferenceCarcassonne, part: Part) -> set[tuple[int, int]]:
    """The free cells that a component faces."""
    faced = [across(*vertex) for vertex in part]
    cells = {(other[0], other[1]) for other in faced if other is not None}
    return cells - playing.world.tiles.keys()


def tiles_fitting(playing: ReferenceCarcassonne, cell: tuple[int, int]) -> int:
    """The number of tiles left in the deck that could be laid on a cell, were they dealt now."""
    return sum(
        count
        for kind, count in enumerate(playing.left)
        if any(playing.world.fits(*cell, turned(playing.kinds[kind], q)) for q in range(4))
    )


def odds(playing: ReferenceCarcassonne, part: Part, misses: float) -> float:
    """A product over the cells: each tile that fits there misses it with the same chance."""
    product = 1.0
    for cell in open_cells(playing, part):
        product *= 1 - misses ** tiles_fitting(playing, cell)
    return product
