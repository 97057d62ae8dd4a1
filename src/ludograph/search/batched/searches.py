"""A search of many games at once; a Python function evaluates the leaves in batches.

>>> import numpy as np
>>> from ludograph import hex, search
>>> def evaluate(observations):
...     mask = observations["action_mask"]
...     return np.zeros(mask.shape), np.zeros(len(mask))
>>> positions = [hex.position(3) for _ in range(4)]
>>> found = search.BatchedSearch(evaluate, simulations=20).search(positions)
>>> found.visits.sum(axis=1).tolist()
[20, 20, 20, 20]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.boards import Board
from ludograph.errors import InvalidInput, is_whole
from ludograph.formatting import counted, described
from ludograph.rules import CHANCE, OVER, TURN, Moves, Rng, Setup, compiled, random_state
from ludograph.rules.batch import States
from ludograph.rules.joined import JoinedGraphs, joined, joined_graphs
from ludograph.rules.lockstep import LockstepThreads
from ludograph.rules.observer import Arrays, Observer, features_of, sizes_of
from ludograph.search.batched.descent import back_up_all, descend_all
from ludograph.search.batched.evaluator import LOGITS, PROBABILITIES, Evaluate, Policy, ask
from ludograph.search.batched.forest import (
    Simulations,
    clear_forest,
    grown,
    make_forest,
    make_simulations,
)
from ludograph.search.batched.gumbel import Gumbel, GumbelMemory, choose_by_gumbel, draw_gumbel
from ludograph.search.mcts.tree import Tree
from ludograph.search.searched import SearchedPosition, check_limits

Table = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False, repr=False)
class BatchedResult:
    """The results for each game; the arrays belong to the caller. ``print`` shows a line for each.

    Attributes
    ----------
    moves
        ``int32[games]``: the code of the chosen move; -1 for a game that is over.
    actions
        ``int64[games]``: the same as an action of the environments in :mod:`ludograph.rl`.
    policy
        ``float32[games, actions]``: the improved policy, a target for learning. 0 for illegal
        actions, and for a game that is over.
    visits
        ``int32[games, actions]``: the simulations that began with each action.
    q
        ``float32[games, actions]``: the mean reward of these, for the seat to move; NaN without
        visits.
    values
        ``float64[games]``: the value for the seat to move, by all simulations; NaN for a game that
        is over.
    positions
        The positions that were searched.
    """

    moves: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int64]
    policy: Table
    visits: npt.NDArray[np.int32]
    q: Table
    values: npt.NDArray[np.float64]
    positions: Sequence[SearchedPosition]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {counted(len(self.positions), 'game')}>"

    def __str__(self) -> str:
        """Return a line for each game: the name of its move, the visits, and the value."""
        return "\n".join(self._line(game) for game in range(len(self.positions)))

    def _line(self, game: int) -> str:
        if self.moves[game] < 0:
            return f"game {game}: over"
        visits = self.visits[game]
        return (
            f"game {game}: {self.positions[game].text(int(self.moves[game]))} "
            f"({visits[self.actions[game]]} of {counted(int(visits.sum()), 'simulation')}), "
            f"value {self.values[game]:z.3g}"
        )


def empty_result(positions: Sequence[SearchedPosition], actions: int) -> BatchedResult:
    """Return the result of games that are all over."""
    games = len(positions)
    return BatchedResult(
        moves=np.full(games, -1, np.int32),
        actions=np.full(games, -1, np.int64),
        policy=np.zeros((games, actions), np.float32),
        visits=np.zeros((games, actions), np.int32),
        q=np.full((games, actions), np.nan, np.float32),
        values=np.full(games, np.nan),
        positions=positions,
    )


@compiled
def gather_all(
    tree: Tree,
    simulations: Simulations,
    by_code: bool,
    visits: States,
    q: Table,
    values: npt.NDArray[np.float64],
) -> None:
    """Write the statistics of the roots, see :class:`BatchedResult`."""
    for game in range(simulations.roots.shape[0]):
        node = tree.nodes[game]
        values[game] = node.value
        for place in range(node.children):
            child = node.first_child + place
            action = tree.move[child] if by_code else place
            visits[game, action] = tree.visits[child]
            if tree.visits[child] > 0:
                q[game, action] = tree.mean[child]


@compiled
def name_all(
    tree: Tree,
    simulations: Simulations,
    by_code: bool,
    places: Moves,
    moves: Moves,
    actions: npt.NDArray[np.int64],
) -> None:
    """Write the moves and the actions of the children at these places."""
    for game in range(simulations.roots.shape[0]):
        moves[game] = tree.move[tree.nodes[game].first_child + places[game]]
        actions[game] = moves[game] if by_code else places[game]


MOST_BLOCKS, MOST_OBSERVERS = 256, 16
"""The number of blocks and observers stored for later searches of as many positions."""

SELECTION = Gumbel()


@dataclass(eq=False)
class SearchBlock:
    """Games of one setup, searched by one thread: the rows from ``first`` on."""

    setup: Setup
    first: int
    simulations: Simulations
    tree: Tree
    memory: GumbelMemory

    @property
    def rows(self) -> slice:
        """The rows of these games."""
        return slice(self.first, self.first + self.simulations.roots.shape[0])


class BatchedSearch:
    """Searches many positions at once, each in a tree of its own, with one evaluator for all.

    In each step every game goes down its tree to a leaf, in machine code; all leaves are observed
    in one batch; ``evaluate`` is called once; and its answers are added to the trees. Ends of games
    have their exact rewards. The result of a game does not depend on the other games or on threads,
    as long as the evaluator evaluates each row by itself.

    Parameters
    ----------
    evaluate
        ``evaluate(observations)`` returns ``(policy, values)``. The observations are those of the
        environments, see :class:`~ludograph.rules.observer.Observer`: each row of an array is a
        position, as the seat to move sees it. There is a row for each game that is not over, in
        every call of a search. The arrays are the same ones in each call: copy what you keep.

        ``policy``: ``[rows, actions]``, the shape of ``action_mask``; its numbers of illegal
        actions do not count. ``values``: ``[rows]``, the value for the seat to move, from -1, lost,
        to 1, won; a lone seat's is on the scale of its score. With three and more seats ``[rows,
        seats]``, from the seat to move on in the order of the turns; this form is accepted with
        fewer seats, too. Both are arrays of floats that NumPy can read.
    simulations
        The simulations of each search, without the evaluation of the root: ``evaluate`` is called
        once more.
    policy_is
        ``logits``, or ``probabilities``, whose sum over the legal actions need not be 1.
    selection
        The parameters of Gumbel AlphaZero, which learns more from few simulations than AlphaZero.
    touches
        Whether observations contain the vertices that each legal move touches.
    threads
        The number of threads that search.
    seed
        The seed for noise, chance and the choice of moves: game ``i`` has ``random_state(seed, i)``
        in the first search, and continues it in the next.

    Raises
    ------
    InvalidInput
        If a parameter is out of its range.

    Notes
    -----
    A node is expanded when it is evaluated; outcomes of chance are nodes of their own, of which one
    is drawn by its probability. The tree and its visit counts are those of
    :mod:`ludograph.search.mcts`, but not its descent, which evaluates leaves by random games.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        *,
        simulations: int = 64,
        policy_is: str = LOGITS,
        selection: Gumbel = SELECTION,
        touches: bool = False,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        check_limits(simulations=simulations, threads=threads)
        if not callable(evaluate):
            raise InvalidInput(f"evaluate must be a function, got {described(evaluate)}")
        if policy_is not in (LOGITS, PROBABILITIES):
            raise InvalidInput(
                f"policy_is must be {LOGITS} or {PROBABILITIES}, got {described(policy_is)}"
            )
        self.evaluate, self.simulations, self.policy_is = evaluate, simulations, policy_is
        if not isinstance(selection, Gumbel):
            raise InvalidInput(f"selection must be a Gumbel, got {described(selection)}")
        self.selection, self.touches, self.seed = selection, touches, seed
        self.threads = LockstepThreads(threads)
        self.rngs = np.zeros(0, np.uint64)
        self.layout: list[tuple[Setup, int]] = []
        self.blocks: list[SearchBlock] = []
        self.observer: Observer | None = None
        self.kept_blocks: dict[tuple[int, int, int], SearchBlock] = {}
        self.games: list[tuple[Setup, Board]] = []
        self.graphs: JoinedGraphs | None = None
        self.shape: tuple[Any, ...] = ()
        self.kept_observers: dict[tuple[Any, ...], Observer] = {}

    def search(
        self, positions: Sequence[SearchedPosition], *, seeds: Sequence[int] | None = None
    ) -> BatchedResult:
        """Search for a move in each position; the positions are not changed.

        Parameters
        ----------
        positions
            Positions of one game; those that are over get no move. If their boards have different
            sizes, observations have room for the largest, as in environments. Positions that share
            their setups, as copies of a position do, are faster.
        seeds
            A whole number for each position: in this search it draws from ``random_state`` of this
            number.

        Raises
        ------
        InvalidInput
            If a position waits for chance, they are not of one game, or the evaluator fails.
        """
        every = checked_setups(positions)
        rngs = self._generators(len(positions), seeds)
        running = [row for row, each in enumerate(positions) if each.state[TURN] != OVER]
        setups, numbers = shared_setups([positions[row].setup for row in running])
        order = np.array(running, np.int64)[np.argsort(numbers, kind="stable")]
        self._allocate(every, setups, numbers)
        assert self.observer is not None
        result = empty_result(positions, self.observer.actions)
        if not running:
            return result
        self.games = [(positions[row].setup, positions[row].board) for row in order]
        self.graphs = None
        for block in self.blocks:
            self._begin(block, [positions[row] for row in order[block.rows]], rngs[order])
        self._simulate()
        found = empty_result([positions[row] for row in order], self.observer.actions)
        for block in self.blocks:
            self._finish(block, found)
            rngs[order[block.rows]] = block.simulations.rngs
        for name in vars(result).keys() - {"positions"}:
            getattr(result, name)[order] = getattr(found, name)
        if seeds is None:
            self.rngs[: len(positions)] = rngs
        return result

    def ragged(self) -> Arrays:
        """Return the observations that ``evaluate`` has just got as one graph, for its own use.

        See :func:`ludograph.rules.joined.joined`.
        """
        if self.observer is None or not self.games:
            raise InvalidInput("ragged: no search has begun")
        if self.graphs is None:
            self.graphs = joined_graphs(self.games)
        return joined(self.observer, self.graphs)

    def _generators(self, games: int, seeds: Sequence[int] | None) -> Rng:
        """Return the generators of the games in a search."""
        if seeds is not None:
            if len(seeds) != games or not all(is_whole(seed) for seed in seeds):
                raise InvalidInput(f"seeds must be {games} whole numbers, one for each position")
            return np.array([random_state(seed)[0] for seed in seeds], np.uint64)
        known = self.rngs.size
        if known < games:
            fresh = [random_state(self.seed, game)[0] for game in range(known, games)]
            self.rngs = np.concatenate([self.rngs, np.array(fresh, np.uint64)])
        return self.rngs[:games].copy()

    def _allocate(self, every: list[Setup], setups: list[Setup], numbers: list[int]) -> None:
        """Make the arrays for the games of each setup, unless they exist.

        Parameters
        ----------
        every
            The setups of all positions, also of those that are over.
        """
        layout = [(setup, numbers.count(number)) for number, setup in enumerate(setups)]
        rows = [sizes for setup, games in layout for sizes in [shape_of(setup)] * games]
        shape = (frozenset(map(shape_of, every)), *rows)
        if self.shape == shape and same_layout(layout, self.layout):
            return
        self.layout, self.blocks, self.shape = layout, [], shape
        make = partial(Observer, every[0], len(numbers), touches=self.touches, others=every[1:])
        self.observer = kept(self.kept_observers, shape, MOST_OBSERVERS, make)
        for setup, first, count in self.threads.blocks(layout):
            place = sum(block.setup is setup for block in self.blocks)
            block = kept(
                self.kept_blocks,
                (id(setup), count, place),
                MOST_BLOCKS,
                partial(self._new_block, setup, count),
            )
            block.first = first
            self.blocks.append(block)

    def _new_block(self, setup: Setup, count: int) -> SearchBlock:
        """Return the memory for searches of some positions of a setup."""
        capacity = int(rules.info(setup).move_capacity)
        memory = self.selection.allocate(count, capacity, self.simulations)
        return SearchBlock(
            setup, 0, make_simulations(setup, count), make_forest(setup, count), memory
        )

    def _begin(self, block: SearchBlock, positions: list[SearchedPosition], rngs: Rng) -> None:
        """Begin the trees of some positions."""
        simulations = block.simulations
        clear_forest(block.tree, len(positions))
        for row, position in enumerate(positions):
            simulations.roots[row] = position.state
        simulations.rngs[:] = rngs[block.rows]
        simulations.least[:] = np.inf if simulations.rewards.shape[1] == 1 else -1.0
        simulations.greatest[:] = -simulations.least

    def _simulate(self) -> None:
        """Run the simulations of all games."""
        assert self.observer is not None
        seats = self.blocks[0].simulations.rewards.shape[1]
        for simulation in range(self.simulations + 1):
            self.threads.run(self._descend, self.blocks)
            policy, values = ask(self.evaluate, self.observer, seats, self.policy_is)
            back_up = partial(self._back_up, policy=policy, values=values)
            self.threads.run(back_up, self.blocks)
            if simulation == 0:
                for block in self.blocks:
                    noise = float(self.selection.noise)
                    draw_gumbel(block.tree, block.simulations.rngs, noise, block.memory.noise)

    def _descend(self, block: SearchBlock) -> None:
        """Go down the trees of a block, and observe the leaves."""
        assert self.observer is not None
        game, games = 0, block.simulations.roots.shape[0]
        while True:
            game = descend_all(block.setup, block.tree, block.simulations, block.memory, game)
            if game == games:
                break
            block.tree = grown(block.setup, block.tree)
        self.observer.observe(block.setup, block.simulations.states, block.first)

    def _back_up(self, block: SearchBlock, policy: Policy, values: npt.NDArray[np.float64]) -> None:
        """Add the evaluator's answers to the trees of a block."""
        assert self.observer is not None
        rows, observer = block.rows, self.observer
        moves, counts = observer.arrays["moves"][rows], observer.counts[rows]
        answer = (policy[rows], self.policy_is == LOGITS, values[rows])
        game, games = 0, counts.size
        while True:
            game = back_up_all(
                block.tree, block.simulations, moves, counts, observer.by_code, *answer, game
            )
            if game == games:
                return
            block.tree = grown(block.setup, block.tree)

    def _finish(self, block: SearchBlock, found: BatchedResult) -> None:
        """Choose the moves of a block, and write the results."""
        assert self.observer is not None
        rows, tree, simulations = block.rows, block.tree, block.simulations
        by_code = self.observer.by_code
        gather_all(
            *(tree, simulations, by_code, found.visits[rows], found.q[rows]),
            found.values[rows],
        )
        places = np.zeros(simulations.depth.size, np.int32)
        choose_by_gumbel(tree, simulations, block.memory, by_code, found.policy[rows], places)
        name_all(tree, simulations, by_code, places, found.moves[rows], found.actions[rows])


def kept(known: dict[Any, Any], key: Any, most: int, make: Callable[[], Any]) -> Any:
    """Return the value stored for a key, or make it; drop the least recently used one if full."""
    found = known.pop(key, None) or make()
    while len(known) >= most:
        del known[next(iter(known))]
    known[key] = found
    return found


def same_layout(some: list[tuple[Setup, int]], others: list[tuple[Setup, int]]) -> bool:
    """Tell whether two lists have the same setups with equally many games."""
    return len(some) == len(others) and all(
        one[0] is other[0] and one[1] == other[1] for one, other in zip(some, others, strict=True)
    )


def shared_setups(setups: Sequence[Setup]) -> tuple[list[Setup], list[int]]:
    """Return the different setups, and the index of each position's setup among them."""
    different: list[Setup] = []
    known: dict[int, int] = {}
    numbers = []
    for setup in setups:
        if id(setup) not in known:
            for number, other in enumerate(different):
                if all(a is b or np.array_equal(a, b) for a, b in zip(setup, other, strict=True)):
                    known[id(setup)] = number
                    break
            else:
                known[id(setup)] = len(different)
                different.append(setup)
        numbers.append(known[id(setup)])
    return different, numbers


def checked_setups(positions: Sequence[SearchedPosition]) -> list[Setup]:
    """Return the setups of positions; raise InvalidInput if they cannot be searched together."""
    if not isinstance(positions, Sequence) or not positions:
        raise InvalidInput("positions must be a list of one position or more")
    setups = list({id(each.setup): each.setup for each in positions}.values())
    if len(set(map(features_of, setups))) > 1:
        raise InvalidInput("the positions are not of one game with as many seats and features")
    for row, position in enumerate(positions):
        if position.state[TURN] == CHANCE:
            raise InvalidInput(f"no seat is to move in position {row}: chance moves")
    return setups


def shape_of(setup: Setup) -> tuple[int, ...]:
    """Return all that the observations of a game with this setup depend on."""
    return (*sizes_of(setup), int(rules.info(setup).move_capacity))
