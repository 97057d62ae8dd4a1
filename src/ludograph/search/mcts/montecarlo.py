"""Monte-Carlo tree search with a memory, limits and threads."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ludograph import rules
from ludograph.rules import TURN, Setup, State, random_state
from ludograph.search.mcts.hints import Knowledge, Room
from ludograph.search.mcts.line import principal_variation
from ludograph.search.mcts.result import Result, gather
from ludograph.search.mcts.reuse import follow, played_since, transplant
from ludograph.search.mcts.simulation import simulate
from ludograph.search.mcts.tree import (
    GREATEST_PRICE,
    LEAST_PRICE,
    PRIOR_WEIGHT,
    ROOT,
    SETTLED,
    clear,
    make_rave,
    make_tree,
)
from ludograph.search.pacing import chunks, deadline_after

EXPLORATION = 0.6
MARGIN_WEIGHT = 0.2
NODES = 1 << 22


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
    margin_weight
        The part of the margin in a reward, see
        :func:`ludograph.search.mcts.rewards.to_rewards`.
    nodes
        Room for nodes in each tree. When it is used up the tree stays as it is, and simulations
        go on from its leaves.
    reuse
        Whether a search starts from what the one before found out about its state; it then must
        be a later one of the same game.
    rave
        0, or the visits after which a move's own statistics count as much as those shared with
        other positions, see :func:`ludograph.search.mcts.selection.select_rave`; only of use in
        games that tell :func:`ludograph.search.mcts.hints.amaf_owners`.
    margin_cap
        The margin that counts in full, wider ones no more; by default what the bounds of the
        scores allow, which is far more than ever happens in some games.
    expand_threshold
        The visits before a node gets children; by default more in games of many moves.
    make_room
        Makes the room of a game that can :func:`ludograph.search.mcts.hints.settle` positions, one
        a thread. None: no close looks are taken.
    least_price, greatest_price
        How many simulations there must be for each close look: where looks settle much, where they
        settle nothing.
    make_knowledge
        Makes what a game knows of moves, see :func:`ludograph.search.mcts.hints.priors`, one a
        thread. None: the search does without.
    prior_weight
        What a move without visits gains by it: the likelihood that it is the best one, times this,
        is added to its mean, and fades as exploration does.

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
        margin_weight: float = MARGIN_WEIGHT,
        nodes: int = NODES,
        reuse: bool = False,
        rave: float = 0.0,
        margin_cap: float | None = None,
        expand_threshold: int | None = None,
        make_room: Callable[[], Room] | None = None,
        least_price: float = LEAST_PRICE,
        greatest_price: float = GREATEST_PRICE,
        make_knowledge: Callable[[], Knowledge] | None = None,
        prior_weight: float = PRIOR_WEIGHT,
    ) -> None:
        self.setup = setup
        constants = (
            *(nodes, c, margin_weight, margin_cap, expand_threshold),
            *(least_price, greatest_price),
        )
        self.trees = [make_tree(setup, *constants) for _ in range(threads)]
        self.raves = [make_rave(tree.move.size, rave) if rave else None for tree in self.trees]
        self.rooms = [None if make_room is None else make_room() for _ in range(threads)]
        self.knowledge = [make_knowledge() if make_knowledge else None for _ in range(threads)]
        self.rngs = [random_state(seed, 1, thread) for thread in range(threads)]
        self.spare = make_tree(setup, *constants) if reuse else None
        for tree in [*self.trees, *([self.spare] if self.spare is not None else [])]:
            tree.settings.prior_weight = prior_weight
        self.last: tuple[State, int] | None = None
        self.result: Result | None = None
        # Compiled now, before any clock runs.
        state = np.zeros(rules.state_size(setup), np.int32)
        simulate(
            *(setup, state, self.trees[0], self.raves[0]),
            *(self.rooms[0], self.knowledge[0], self.rngs[0], 0),
        )
        if self.spare is not None:
            transplant(self.trees[0], ROOT, self.spare)

    def search(self, state: State, *, time: float | None = None, sims: int | None = None) -> Result:
        """Search for a move in a state in which a seat is to move.

        Parameters
        ----------
        state
            ``int32[state_size(setup)]``; it stays as it is.
        time, sims
            Seconds and simulations to spend, whichever is used up first; one must be given.
            The simulations are shared out among the threads. When best play is proven, a search
            ends before: with a limit of time as soon as any thread has the proof, without one each
            thread for itself, so that the same is found again.
        """
        if time is None and sims is None:
            raise ValueError("a search needs a limit of time or of simulations")
        root = np.array(state, np.int32)
        if root[TURN] < 0:
            raise ValueError("only a position in which a seat is to move can be searched")
        started = clock.perf_counter()
        deadline = deadline_after(time)
        self._set_roots(root)
        before = self._simulations()
        count = len(self.trees)
        shares = [
            None if sims is None else sims // count + (thread < sims % count)
            for thread in range(count)
        ]
        stop = threading.Event()
        jobs = [(root, thread, deadline, share, stop) for thread, share in enumerate(shares)]
        if count == 1:
            self._run(*jobs[0])
        else:
            with ThreadPoolExecutor(count) as pool:
                for future in [pool.submit(self._run, *job) for job in jobs]:
                    future.result()
        done = self._simulations() - before
        result = gather(self.setup, root, self.trees, done, clock.perf_counter() - started)
        self.last = (root, result.move)
        self.result = result
        return result

    def line(self) -> tuple[int, ...]:
        """Return the moves that are expected now, from that of the last search on.

        Those visited most in the first tree, up to the first node that nobody has chosen.
        """
        if self.result is None:
            return ()
        return principal_variation(self.trees[0], self.result.move)

    @property
    def is_lost(self) -> bool:
        """Whether a close look has shown that the root of the last search is lost.

        Its result then says what random games promise: which move is answered wrongly most often.
        """
        return any(bool(tree.progress.is_lost) for tree in self.trees)

    def _set_roots(self, root: State) -> None:
        """Start from empty trees, or from what is left of the last ones."""
        line = None
        if self.spare is not None and self.last is not None:
            line = played_since(self.setup, *self.last, root)
        for place, tree in enumerate(self.trees):
            index = None if line is None else follow(tree, line)
            # A node that is known without a look at its children does not say what to play.
            if (
                index is None
                or self.spare is None
                or tree.nodes[index].children == 0
                or tree.nodes[index].looked == SETTLED
            ):
                clear(tree)
            else:
                transplant(tree, index, self.spare)
                self._forget_rave(place)
                self.trees[place], self.spare = self.spare, tree

    def _forget_rave(self, thread: int) -> None:
        """Keep the nodes' own statistics only: what is shared comes again quickly."""
        rave = self.raves[thread]
        if rave is not None and self.spare is not None:
            rave.visits[: self.spare.progress.nodes] = 0
            rave.total[: self.spare.progress.nodes] = 0.0

    def _simulations(self) -> int:
        return int(sum(tree.visits[ROOT] for tree in self.trees))

    def _run(
        self,
        root: State,
        thread: int,
        deadline: float | None,
        sims: int | None,
        stop: threading.Event,
    ) -> None:
        tree, rave, rng = self.trees[thread], self.raves[thread], self.rngs[thread]
        room, knowledge = self.rooms[thread], self.knowledge[thread]
        for amount in chunks(deadline, sims):
            if simulate(self.setup, root, tree, rave, room, knowledge, rng, amount):
                stop.set()
                return
            if stop.is_set() and deadline is not None:
                return


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
