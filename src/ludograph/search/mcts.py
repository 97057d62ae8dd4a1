"""Monte-Carlo tree search for every game: any number of seats, chance, one or more threads."""

from __future__ import annotations

import time as clock
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Rng, Setup, State, random_state
from ludograph.search.pacing import chunks, deadline_after
from ludograph.search.reuse import follow, played_since, transplant
from ludograph.search.simulation import simulate
from ludograph.search.tree import ROOT, USED, Tree, clear, make_tree

EXPLORATION = 0.6
SHARE = 0.2
NODES = 1 << 22


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    Attributes
    ----------
    move
        The move visited most, of equal ones that of the best value.
    moves, visits
        ``int32[k]``: the legal moves in ``legal_moves``' order, how often each was tried.
    values
        ``float64[k]``: the mean reward of each for the seat to move, nan where never tried; for
        a lone seat the mean score.
    simulations, seconds
        What was done, by all threads together, and how long it took; ``visits`` also count what
        was reused.
    """

    move: int
    moves: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    simulations: int
    seconds: float


class MonteCarlo:
    """A search with its memory, which serves for all moves of a game.

    Parameters
    ----------
    setup
        The setup of the game.
    seed
        With a fixed number of simulations and threads, the same seed finds the same.
    threads
        Independent trees with random streams of their own, whose root statistics are added up
        (root parallelization: Chaslot, Winands, van den Herik 2008).
    c
        The weight of exploration, in units of the rewards' range.
    share
        The part of the margin in a reward, see :func:`ludograph.search.values.to_rewards`.
    nodes
        Room for nodes in each tree. When it is used up the tree stays as it is, and simulations
        go on from its leaves.
    reuse
        Whether a search starts from what the one before found out about its state; it then must
        be a later one of the same game.
    rave
        0, or the visits after which a move's own statistics count as much as those shared with
        other positions, see :func:`ludograph.search.simulation.choose_shared`; only of use in
        games that tell :func:`ludograph.rules.players_of`.
    spread
        The margin that counts in full, wider ones no more; by default what the bounds of the
        scores allow, which is far more than ever happens in some games.
    patience
        The visits before a node gets children; by default more in games of many moves.

    Attributes
    ----------
    result
        Of the last search, or None.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        seed: int = 0,
        threads: int = 1,
        c: float = EXPLORATION,
        share: float = SHARE,
        nodes: int = NODES,
        reuse: bool = False,
        rave: float = 0.0,
        spread: float | None = None,
        patience: int | None = None,
    ) -> None:
        self.setup = setup
        constants = (nodes, c, share, rave, spread, patience)
        self.trees = [make_tree(setup, *constants) for _ in range(threads)]
        self.rngs = [random_state(seed, 1, thread) for thread in range(threads)]
        self.spare = make_tree(setup, *constants) if reuse else None
        self.last: tuple[State, int] | None = None
        self.result: Result | None = None
        # Compiled now, before any clock runs.
        state = np.zeros(rules.state_size(setup), np.int32)
        simulate(setup, state, self.trees[0], self.rngs[0], 0)
        if self.spare is not None:
            clear(self.trees[0])
            transplant(self.trees[0], ROOT, self.spare)

    def search(self, state: State, *, time: float | None = None, sims: int | None = None) -> Result:
        """Search for a move in a state that is neither over nor a chance node.

        Parameters
        ----------
        state
            ``int32[state_size(setup)]``; it stays as it is.
        time, sims
            Seconds and simulations to spend, whichever is used up first; one must be given.
            The simulations are shared out among the threads.
        """
        if time is None and sims is None:
            raise ValueError("a search needs a limit of time or of simulations")
        root = np.array(state, np.int32)
        started = clock.perf_counter()
        deadline = deadline_after(time)
        self._set_roots(root)
        before = self._simulations()
        count = len(self.trees)
        shares = [
            None if sims is None else sims // count + (thread < sims % count)
            for thread in range(count)
        ]
        if count == 1:
            self._run(root, self.trees[0], self.rngs[0], deadline, shares[0])
        else:
            with ThreadPoolExecutor(count) as pool:
                for future in [
                    pool.submit(self._run, root, tree, rng, deadline, share)
                    for tree, rng, share in zip(self.trees, self.rngs, shares, strict=True)
                ]:
                    future.result()
        result = self._result(root, self._simulations() - before, clock.perf_counter() - started)
        self.last = (root, result.move)
        self.result = result
        return result

    def _set_roots(self, root: State) -> None:
        """Start from empty trees, or from what is left of the last ones."""
        line = None
        if self.spare is not None and self.last is not None:
            line = played_since(self.setup, *self.last, root)
        for index, tree in enumerate(self.trees):
            node = None if line is None else follow(tree, line)
            if node is None or self.spare is None:
                clear(tree)
            else:
                transplant(tree, node, self.spare)
                self.trees[index], self.spare = self.spare, tree
                used = int(self.trees[index].counters[USED])
                # What is shared comes again quickly: only the nodes' own statistics are kept.
                self.trees[index].shared_visits[:used] = 0
                self.trees[index].shared_value[:used] = 0.0

    def _simulations(self) -> int:
        return int(sum(tree.visits[ROOT] for tree in self.trees))

    def _run(
        self, root: State, tree: Tree, rng: Rng, deadline: float | None, sims: int | None
    ) -> None:
        for amount in chunks(deadline, sims):
            simulate(self.setup, root, tree, rng, amount)

    def _result(self, root: State, simulations: int, seconds: float) -> Result:
        """Add up the statistics of the trees' roots."""
        moves = np.empty(rules.move_capacity(self.setup), np.int32)
        moves = moves[: rules.legal_moves(self.setup, root, moves)]
        place = {move: index for index, move in enumerate(moves.tolist())}
        visits = np.zeros(moves.size, np.int64)
        totals = np.zeros(moves.size, np.float64)
        for tree in self.trees:
            first = tree.first[ROOT]
            for child in range(first, first + tree.tried[ROOT]):
                index = place[int(tree.move[child])]
                visits[index] += tree.visits[child]
                totals[index] += tree.visits[child] * tree.mean[child]
        values = np.full(moves.size, np.nan)
        np.divide(totals, visits, out=values, where=visits > 0)
        best = max(range(moves.size), key=lambda index: (visits[index], values[index]))
        return Result(int(moves[best]), moves, visits, values, simulations, seconds)


def search(
    setup: Setup,
    state: State,
    *,
    time: float | None = None,
    sims: int | None = None,
    threads: int = 1,
    c: float = EXPLORATION,
    seed: int = 0,
    nodes: int = NODES,
) -> Result:
    """Search once for a move; see :class:`MonteCarlo` for the parameters."""
    return MonteCarlo(setup, seed=seed, threads=threads, c=c, nodes=nodes).search(
        state, time=time, sims=sims
    )
