"""Monte-Carlo tree search with a memory, limits and threads."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial

import numpy as np

from ludograph import rules
from ludograph.rules import TURN, Setup, State, random_state
from ludograph.search.arrays import kept_apart
from ludograph.search.mcts.beside import Beside, Solver
from ludograph.search.mcts.hints import Knowledge, Room
from ludograph.search.mcts.judging import Judging, judge_by
from ludograph.search.mcts.line import principal_variation
from ludograph.search.mcts.memory import Memory
from ludograph.search.mcts.result import Result, gather
from ludograph.search.mcts.simulation import simulate
from ludograph.search.mcts.tree import (
    GREATEST_PRICE,
    LEAST_PRICE,
    PRIOR_WEIGHT,
    Tree,
    make_tree,
    take_up,
)
from ludograph.search.pacing import chunks, deadline_after, rounds

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
        With a fixed number of simulations and one thread, the same seed finds the same.
    threads
        Threads that grow one tree, see :mod:`ludograph.search.mcts.tree`, each with a random stream
        of its own. With more than one, what is found depends on who comes first: no seed brings it
        again.
    c
        The weight of exploration, in units of the rewards' range.
    margin_weight
        The part of the margin in a reward, see
        :func:`ludograph.search.mcts.rewards.to_rewards`.
    nodes
        Room for nodes in the tree. When it is used up the tree stays as it is, and simulations
        go on from its leaves; with ``reuse``, what is seldom visited makes room for more.
    reuse
        Whether a search starts from what the one before found out about its state; it then must
        be a later one of the same game. Takes the memory twice.
    rave
        0, or the visits after which a move's own statistics count as much as those shared with
        other positions, see :func:`ludograph.search.mcts.selection.select_rave`; only of use in
        games that tell :func:`ludograph.search.mcts.hints.amaf_owners`. Each thread has its own.
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
    judging
        When and how what the game knows judges nodes, see :mod:`ludograph.search.mcts.judging`.
        None: it only tells likely moves.
    make_solver
        Makes a solver of the game, which then has its share of the time and the first thread, see
        :mod:`ludograph.search.mcts.beside`. None: the search does without.

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
        judging: Judging | None = None,
        make_solver: Callable[[], Solver] | None = None,
    ) -> None:
        self.setup = setup

        def make() -> Tree:
            tree = make_tree(
                *(setup, nodes, c, margin_weight, margin_cap, expand_threshold),
                *(least_price, greatest_price),
            )
            tree.settings.prior_weight = prior_weight
            if judging is not None:
                judge_by(tree, judging)
            return tree

        self.threads = threads
        self.memory = Memory(make, setup, threads, rave, reuse)
        self.rooms = [None if make_room is None else make_room() for _ in range(threads)]
        self.knowledge = [make_knowledge() if make_knowledge else None for _ in range(threads)]
        self.beside = None if make_solver is None else Beside(setup, make_solver())
        self.rngs = [kept_apart(random_state(seed, 1, thread)) for thread in range(threads)]
        self.last: tuple[State, int] | None = None
        self.result: Result | None = None
        # Compiled now, before any clock runs.
        state = np.zeros(rules.info(setup).state_size, np.int32)
        self._simulate(state, 0, 0)
        if self.beside is not None:
            self.beside.prepare(self.trees[0], self.memory.raves[0])
        self.memory.prepare(state)

    @property
    def trees(self) -> list[Tree]:
        """The tree of the last search, as each thread sees it."""
        return self.memory.trees

    def search(self, state: State, *, time: float | None = None, sims: int | None = None) -> Result:
        """Search for a move in a state in which a seat is to move.

        Parameters
        ----------
        state
            ``int32[info(setup).state_size]``; it stays as it is.
        time, sims
            Seconds and simulations to spend, whichever is used up first; one must be given.
            The simulations are shared out among the threads. When best play is proven, a search
            ends before.
        """
        if time is None and sims is None:
            raise ValueError("a search needs a limit of time or of simulations")
        root = np.array(state, np.int32)
        if root[TURN] < 0:
            raise ValueError("only a position in which a seat is to move can be searched")
        started = clock.perf_counter()
        deadline = deadline_after(time)
        self.memory.begin(self.last, root)
        before = self._simulations()
        if self.beside is not None:
            self.beside.begin()
        known, left = self._simulate(root, 0, 1), None
        while not known:
            if sims is not None:
                left = before + sims - self._simulations()
            if left == 0 or not self._run_all(root, deadline, left):
                break
            self.memory.make_room(deadline)
        done = self._simulations() - before
        seconds = clock.perf_counter() - started
        result = gather(self.setup, root, self.trees[0], self.beside, done, seconds)
        self.last = (root, result.move)
        self.result = result
        return result

    def line(self) -> tuple[int, ...]:
        """Return the moves that are expected now, from that of the last search on.

        Those visited most, up to the first node that nobody has chosen.
        """
        if self.result is None:
            return ()
        return principal_variation(self.trees[0], self.result.move)

    @property
    def is_lost(self) -> bool:
        """Whether a close look has shown that the root of the last search is lost.

        Its result then says what random games promise: which move is answered wrongly most often.
        """
        return bool(self.trees[0].progress.is_lost)

    def _simulations(self) -> int:
        return int(sum(tree.progress.simulations for tree in self.trees))

    def _run_all(self, root: State, deadline: float | None, sims: int | None) -> bool:
        """Search with all threads; tell whether they stopped for want of room."""
        if self.threads == 1:
            return self._run(root, 0, deadline, sims, threading.Event())
        return self._run_together(root, deadline, sims)

    def _run_together(self, root: State, deadline: float | None, sims: int | None) -> bool:
        """Search with several threads, the caller's first, in a tree of which the root is made.

        A close look at the root takes moves out, while nobody else is there.
        """
        for tree in self.trees[1:]:
            take_up(tree, self.trees[0])
        self.trees[0].settings.together = 1
        stop = threading.Event()

        def job(thread: int) -> Callable[[], bool]:
            share = None if sims is None else (sims + thread) // self.threads
            return partial(self._run, root, thread, deadline, share, stop)

        with ThreadPoolExecutor(self.threads - 1) as pool:
            others = [
                pool.submit(copy_context().run, job(thread)) for thread in range(1, self.threads)
            ]
            lacks_room = [job(0)()]
        lacks_room += [other.result() for other in others]
        first = self.trees[0].progress
        for tree in self.trees[1:]:
            first.least = min(first.least, tree.progress.least)
            first.greatest = max(first.greatest, tree.progress.greatest)
        return any(lacks_room)

    def _run(
        self,
        root: State,
        thread: int,
        deadline: float | None,
        sims: int | None,
        stop: threading.Event,
    ) -> bool:
        """Search with one thread until it is told to stop, knows the answer or lacks room.

        It then stops the others; tell whether it lacks room.
        """
        try:
            beside = self.beside if thread == 0 else None
            for end, left in [(deadline, sims)] if beside is None else rounds(deadline, sims):
                rave = self.memory.raves[thread]
                if beside is not None and beside.work(self.trees[0], rave, root, end, left):
                    stop.set()
                    return False
                for amount in chunks(end, left):
                    if self._simulate(root, thread, amount) or stop.is_set():
                        return False
                    if self.trees[thread].progress.lacks_room:
                        stop.set()
                        return True
        except BaseException:  # Ctrl-C, say: nobody waits for the others' time to be up
            stop.set()
            raise
        return False

    def _simulate(self, root: State, thread: int, amount: int) -> bool:
        """Make some simulations; tell whether the answer is known, which all threads see."""
        found: bool = simulate(
            *(self.setup, root, self.trees[thread], self.memory.raves[thread]),
            *(self.rooms[thread], self.knowledge[thread], self.rngs[thread], amount),
        )
        return found


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
