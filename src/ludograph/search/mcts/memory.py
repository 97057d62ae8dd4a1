"""What a search remembers: the tree that grows, what moves are worth anywhere, a tree to move to.

A tree is moved when moves have been played, and when it is full; what is still of use comes along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludograph.rules import Setup, State
from ludograph.search.mcts.pruning import is_too_late, is_worth_pruning, visits_kept
from ludograph.search.mcts.reuse import follow, is_taken_out, played_since, transplant
from ludograph.search.mcts.tree import ROOT, SETTLED, Rave, Tree, clear, make_rave, seen_by_all


class Memory:
    """The trees of a search, as each thread sees them.

    Parameters
    ----------
    make
        Makes an empty tree.
    setup, threads, rave, reuse
        As in :class:`ludograph.search.mcts.MonteCarlo`.

    Attributes
    ----------
    trees, raves
        Those in use, one a thread.
    spare
        Trees to move to; None where nothing is kept.
    prunes
        Whether a full tree makes room.
    """

    def __init__(
        self, make: Callable[[], Tree], setup: Setup, threads: int, rave: float, reuse: bool
    ) -> None:
        self.setup = setup
        self.trees = seen_by_all(make(), threads)
        self.spare = seen_by_all(make(), threads) if reuse else None
        self.prunes = reuse and is_worth_pruning(self.trees[0])
        self.expand_threshold = int(self.trees[0].settings.expand_threshold)
        size = self.trees[0].move.size
        self.raves = [make_rave(size, rave) if rave else None for _ in range(threads)]

    def prepare(self, state: State) -> None:
        """Load what a search calls, with empty trees: done before any clock runs."""
        is_taken_out(self.trees[0], ROOT)
        if self.spare is not None:
            played_since(self.setup, state, 0, state)
            transplant(self.trees[0], ROOT, self.spare[0], 0)
            visits_kept(self.trees[0])

    def begin(self, last: tuple[State, int] | None, root: State) -> None:
        """Start from an empty tree, or from what is left of the last search's.

        Parameters
        ----------
        last
            What the last search began with, and the move that it found.
        """
        tree = self.trees[0]
        forget(self.raves[1:], int(tree.used.nodes))  # not cleared as they go
        index = None
        if self.spare is not None and last is not None:
            line = played_since(self.setup, *last, root)
            index = None if line is None else follow(tree, line)
        # A node that is known without a look at its children does not say what to play.
        if index is None or tree.nodes[index].children == 0 or tree.nodes[index].looked == SETTLED:
            clear(tree)
        else:
            self._move(index, 0)
        settings = self.trees[0].settings
        settings.together = 0
        settings.makes_room = int(self.prunes)
        settings.expand_threshold = self.expand_threshold

    def make_room(self, deadline: float | None) -> None:
        """Prune the tree, and expand nodes later from now on; if it is too late, leave it as it is.

        Simulations then go on from its leaves.
        """
        full = self.trees
        if is_too_late(full[0], deadline):
            full[0].settings.makes_room = 0
            for tree in full:
                tree.progress.lacks_room = 0
            return
        least = visits_kept(full[0])
        self._move(ROOT, least)
        for tree, old in zip(self.trees, full, strict=True):
            for name in ("simulations", "looks", "is_lost"):
                setattr(tree.progress, name, getattr(old.progress, name))
        settings = self.trees[0].settings
        settings.makes_room = 1
        settings.expand_threshold = max(least, self.expand_threshold)

    def _move(self, index: int, least: int) -> None:
        """Keep the tree below a node, see :func:`transplant`."""
        assert self.spare is not None
        transplant(self.trees[0], index, self.spare[0], least)
        self.trees, self.spare = self.spare, self.trees
        forget(self.raves, int(self.trees[0].used.nodes))


def forget(raves: Sequence[Rave | None], nodes: int) -> None:
    """Keep the nodes' own statistics only: what is shared between moves comes again quickly."""
    for rave in raves:
        if rave is not None:
            rave.visits[:nodes] = 0
            rave.total[:nodes] = 0.0
