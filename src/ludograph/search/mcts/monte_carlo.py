"""Monte Carlo tree search with a memory, limits and threads."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any

import numpy as np

from ludograph import rules
from ludograph.rules import TURN, Setup, State, random_state
from ludograph.search import plain_games
from ludograph.search.mcts.background_solver import BackgroundSolver
from ludograph.search.mcts.hints import GameKnowledge
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.mcts.result import MonteCarloResult, gather, principal_variation
from ludograph.search.mcts.reuse import node_of, transplant
from ludograph.search.mcts.search import simulate
from ludograph.search.mcts.threads import hand_in, make_pending
from ludograph.search.mcts.tree import SETTLED, clear, make_tree, seen_by_all, take_up
from ludograph.search.pacing import chunks, deadline_after, load_rules, rounds
from ludograph.search.records import kept_apart


class MonteCarlo:
    """A search with its memory, used for all moves of a game.

    Parameters
    ----------
    setup
        The setup of the game.
    options
        The parameters of the search; None: the defaults.
    knowledge
        The game's knowledge beyond its rules; None: none.

    Attributes
    ----------
    trees
        The tree of the last search, as each thread sees it.
    spare
        A tree to copy into; None if the search does not reuse trees.
    result
        The result of the last search, or None.
    last
        The root of the last search, and the move that it found: the next search of the same game
        reuses its tree. None: the next search begins with an empty tree.
    """

    def __init__(
        self,
        setup: Setup,
        options: SearchOptions | None = None,
        knowledge: GameKnowledge | None = None,
    ) -> None:
        self.setup = setup
        self.options = options = options or SearchOptions()
        if options.minimax and rules.info(setup).seats != 2:
            raise ValueError("minimax is for games of two seats")
        knowledge = knowledge or GameKnowledge()
        plain_games.check_own_rules(setup, knowledge)
        self.threads = threads = options.threads
        make = partial(make_tree, setup, options, knowledge.leaf_evaluation)
        self.trees = seen_by_all(make(), threads)
        self.spare = seen_by_all(make(), threads) if options.reuse else None
        self.workspaces = [knowledge.workspace() for _ in range(threads)]
        self.networks = [knowledge.network() for _ in range(threads)]
        is_judged = self.networks[0] is not None
        self.knowledge = [None if is_judged else knowledge.of_moves() for _ in range(threads)]
        if options.minimax and self.knowledge[0] is None:
            raise ValueError("minimax is for games whose knowledge has values of moves")
        self.pending = [make_pending() if threads > 1 else None for _ in range(threads)]
        solver = knowledge.solver()
        self.background = None if solver is None else BackgroundSolver(setup, solver)
        self.rngs = [kept_apart(random_state(options.seed, 1, each)) for each in range(threads)]
        self.last: tuple[State, int] | None = None
        self.result: MonteCarloResult | None = None
        # Compiled now, before any clock runs.
        state = np.zeros(rules.info(setup).state_size, np.int32)
        self._simulate(state, 0, 0)
        load_rules(setup)
        if threads > 1:
            hand_in(self.trees[0], self.pending[0])
        if self.background is not None:
            self.background.prepare(self.trees[0])

    def search(
        self, state: State, *, time: float | None = None, sims: int | None = None
    ) -> MonteCarloResult:
        """Search for a move in a state in which a seat is to move.

        Parameters
        ----------
        state
            ``int32[info(setup).state_size]``; it stays as it is.
        time, sims
            The limits: seconds and simulations; at least one must be given. The threads share the
            simulations. A search ends earlier when best play is proven. If it is a loss, the
            present round of simulations is the last one; then the background solver, if any,
            chooses the move that is hardest to refute.
        """
        if time is None and sims is None:
            raise ValueError("a search needs a limit of time or of simulations")
        root = np.array(state, np.int32)
        if root[TURN] < 0:
            raise ValueError("only a position in which a seat is to move can be searched")
        started = clock.perf_counter()
        deadline = deadline_after(time)
        self._begin_tree(root)
        before = self._simulations()
        if self.background is not None:
            self.background.begin(deadline, time, sims)
        known = self._simulate(root, 0, 1)
        left = None if sims is None else before + sims - self._simulations()
        if not known and left != 0:
            self._run_all(root, deadline, left)
        if self.background is not None:
            self.background.finish(self.trees[0], root)
        done = self._simulations() - before
        seconds = clock.perf_counter() - started
        result = gather(self.setup, root, self.trees[0], self.background, done, seconds)
        self.last = (root, result.move)
        self.result = result
        return result

    def line(self) -> tuple[int, ...]:
        """Return the expected moves, beginning with the move of the last search.

        They are the most visited moves, up to the first node that no seat chooses.
        """
        if self.result is None:
            return ()
        return principal_variation(self.trees[0], self.result.move)

    @property
    def is_lost(self) -> bool:
        """Whether a probe has shown that the root of the last search is lost.

        The result then comes from random games: its move is the one that is answered wrongly most
        often.
        """
        return bool(self.trees[0].progress.is_lost)

    def _simulations(self) -> int:
        return int(sum(tree.progress.simulations for tree in self.trees))

    def _begin_tree(self, root: State) -> None:
        """Start from an empty tree, or from the useful part of the last search's tree."""
        tree, index = self.trees[0], None
        if self.spare is not None and self.last is not None:
            index = node_of(self.setup, tree, *self.last, root)
        # A node that was closed without its children does not give a move.
        if index is None or tree.nodes[index].children == 0 or tree.nodes[index].probed == SETTLED:
            clear(tree)
        else:
            assert self.spare is not None
            transplant(tree, index, self.spare[0])
            self.trees, self.spare = self.spare, self.trees
        self.trees[0].settings.shared = 0

    def _run_all(self, root: State, deadline: float | None, sims: int | None) -> None:
        """Search with all threads, the caller's first, in a tree whose root exists.

        A probe of the root removes moves while no other thread runs.
        """
        stop = threading.Event()
        if self.threads == 1:
            self._run(root, 0, deadline, sims, stop)
            return
        for tree in self.trees[1:]:
            take_up(tree, self.trees[0])
        self.trees[0].settings.shared = 1

        def job(thread: int) -> Callable[[], None]:
            share = None if sims is None else (sims + thread) // self.threads
            return partial(self._run, root, thread, deadline, share, stop)

        try:
            with ThreadPoolExecutor(self.threads - 1) as pool:
                others = [
                    pool.submit(copy_context().run, job(thread))
                    for thread in range(1, self.threads)
                ]
                job(0)()
        finally:
            for tree, pending in zip(self.trees, self.pending, strict=True):
                hand_in(tree, pending)
        for other in others:
            other.result()
        first = self.trees[0].progress
        for tree in self.trees[1:]:
            first.least = min(first.least, tree.progress.least)
            first.greatest = max(first.greatest, tree.progress.greatest)

    def _run(
        self,
        root: State,
        thread: int,
        deadline: float | None,
        sims: int | None,
        stop: threading.Event,
    ) -> None:
        """Search with one thread until it is stopped, or the answer is known.

        The background solver and a lost root then stop the other threads.
        """
        try:
            solver = self.background if thread == 0 else None
            takes_turns = solver is not None or self.workspaces[thread] is not None
            was_lost = False
            for end, left in rounds(deadline, sims) if takes_turns else [(deadline, sims)]:
                if was_lost or (solver is not None and solver.work(self.trees[0], root, end, left)):
                    stop.set()
                    return
                was_lost = bool(self.trees[thread].progress.is_lost)
                for amount in chunks(end, left):
                    if self._simulate(root, thread, amount) or stop.is_set():
                        return
        except BaseException:  # Ctrl-C, for example: do not wait until the others' time is up
            stop.set()
            raise

    def _simulate(self, root: State, thread: int, amount: int) -> bool:
        """Run some simulations; return whether the root is decided, which all threads see."""
        found: bool = simulate(
            *(self.setup, root, self.trees[thread]),
            *(self.pending[thread], self.workspaces[thread]),
            *(self.knowledge[thread], self.networks[thread]),
            *(self.rngs[thread], amount),
        )
        return found


def search(
    setup: Setup,
    state: State,
    *,
    time: float | None = None,
    sims: int | None = None,
    **options: Any,
) -> MonteCarloResult:
    """Search once for a move; the options are those of :class:`SearchOptions`."""
    return MonteCarlo(setup, SearchOptions(**options)).search(state, time=time, sims=sims)
