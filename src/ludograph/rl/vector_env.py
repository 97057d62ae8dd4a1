"""Thousands of games in lockstep, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ludograph import rules
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games import Position, registry
from ludograph.rl import kernels
from ludograph.rl.kernels import NOBODY
from ludograph.rl.spaces import observation_space
from ludograph.rules import TURN, random_state
from ludograph.rules.batch import States
from ludograph.rules.observer import Arrays, Observer, sizes_of

MOST_GAMES = 1 << 20
MOST_THREADS = 1024
LEAST_ROWS = 64
"""The least number of games for a thread: with fewer games, waking it takes too much time."""

Policy: TypeAlias = Callable[[Arrays], npt.ArrayLike]
"""An opponent as a function: it returns an action for each game of an observation."""


@dataclass(frozen=True, eq=False)
class EnvBlock:
    """Games with the same start, played by one thread: the rows that begin at ``first``."""

    start: Position
    first: int
    states: States

    @property
    def rows(self) -> slice:
        """The rows of these games."""
        return slice(self.first, self.first + self.states.shape[0])


class GameVectorEnv(VectorEnv[Arrays, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games in parallel. Without an opponent the caller plays all seats of each game.

    An observation is a dictionary of arrays for the seat to move, see
    :class:`~ludograph.rules.observer.Observer`. Each step writes into the same arrays: copy arrays
    that you need later, and do not write into them. A game that ends begins again in the same step
    (``AutoresetMode.SAME_STEP``), and its observation is that of its new start. No game is
    truncated.

    ``infos`` has, by game: ``turn``, the seat to move now; ``rewards``, ``float32[games, seats]``;
    and for games that have just ended ``scores`` and ``plies``; for these games ``_scores`` and
    ``_plies`` are true.

    Parameters
    ----------
    starts
        One or more starts of a game, before the first move, with observations of one shape and
        equal numbers of games.
    games
        The number of games: a multiple of the number of starts.
    opponent
        None; ``random``; or a function that takes an observation of all games and returns an action
        for each. An action counts only if an opponent is to move in its game. With an opponent,
        ``step`` goes to the learner's next decision, and its reward is the learner's.
    seat
        The seat of the learner, if there is an opponent; by default the seats take turns.
    touches
        Whether observations have the vertices touched by each legal move.
    threads
        The number of threads that play. The games do not depend on it.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        starts: Sequence[Position],
        games: int,
        *,
        opponent: str | Policy | None = None,
        seat: int | None = None,
        touches: bool = False,
        threads: int = 1,
    ) -> None:
        _check(starts, games, opponent, seat, threads)
        first = starts[0]
        self.seats = first.seats
        self.num_envs = games
        self.policy = opponent if callable(opponent) else None
        self.random_others = opponent == "random"
        self.has_learner = opponent is not None
        self.seat = seat
        self.observer = Observer(first.setup, games, touches=touches)
        self.single_observation_space = observation_space(self.observer.arrays)
        self.single_action_space = spaces.Discrete(self.observer.actions)
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)
        self.graph = (first.board.offsets, first.board.neighbors)
        self.blocks = list(_blocks(starts, games, threads))
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.rngs = np.zeros(games, np.uint64)
        self.learners = np.full(games, NOBODY, np.int32)
        self.rewards = np.zeros((games, self.seats), np.float32)
        self.scores = np.zeros((games, self.seats), np.float64)
        self.ended = np.zeros(games, np.int8)
        self.lengths = np.zeros(games, np.int32)
        self.turn = np.zeros(games, np.int32)
        self.codes = np.full(games, -1, np.int32)
        self.is_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin all games.

        Parameters
        ----------
        seed
            Game ``i`` uses the random numbers of ``random_state(seed, i)``, independent of other
            games. By default a new seed is drawn at the first call; later calls continue the random
            numbers, and the learners stay on their current seats.
        options
            Must be empty: there are no options.

        Returns
        -------
        observations, infos
            See :class:`GameVectorEnv`.
        """
        if options:
            raise InvalidInput(f"rl: reset has no option {next(iter(options))!r}")
        if seed is None and not self.is_begun:
            seed = int(np.random.default_rng().integers(1 << 62))
        if seed is not None:
            self.rngs[:] = [random_state(seed, game)[0] for game in range(self.num_envs)]
            if self.has_learner:
                own = np.arange(self.num_envs) % self.seats if self.seat is None else self.seat
                self.learners[:] = own
        self.is_begun = True
        self._all(self._begin)
        self._let_opponents_move()
        return self.observer.arrays, {"turn": self.turn}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Arrays,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play an action in each game.

        Returns
        -------
        observations, rewards, terminations, truncations, infos
            The reward of the learner; without an opponent, that of the seat that has just moved: 1
            for the best seat at the end, -1 for the worst, 0 before the end.

        Raises
        ------
        InvalidInput
            If an action is not legal: then no move is played.
        """
        if not self.is_begun:
            raise InvalidInput("rl: call reset before step")
        moved = self.learners.copy() if self.has_learner else self.turn.copy()
        self.codes[:] = self._codes(np.asarray(actions))
        self._all(self._play)
        rewards, ended = self.rewards.copy(), self.ended.astype(bool)
        self._let_opponents_move(rewards, ended)
        own = rewards[np.arange(self.num_envs), moved].astype(np.float64)
        infos = {
            **{"turn": self.turn, "rewards": rewards, "scores": self.scores, "_scores": ended},
            **{"plies": self.lengths, "_plies": ended},
        }
        return self.observer.arrays, own, ended, np.zeros(self.num_envs, np.bool_), infos

    def sample(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for each game, drawn from the generators of the games."""
        codes = np.empty(self.num_envs, np.int32)
        for block in self.blocks:
            kernels.sample_all(
                block.start.setup, block.states, self.rngs[block.rows], codes[block.rows]
            )
        if self.observer.by_code:
            return codes.astype(np.int64)
        found: npt.NDArray[np.int64] = (self.observer.arrays["moves"] == codes[:, None]).argmax(1)
        return found

    def position(self, game: int) -> Position:
        """Return the position of a game as a new object, for example to print it."""
        block = next(each for each in self.blocks if each.rows.start <= game < each.rows.stop)
        position = block.start.copy()
        position.state = block.states[game - block.first].copy()
        return position

    def positions(self) -> list[Position]:
        """Return the positions of all games as new objects, for example for searches."""
        found = []
        for block in self.blocks:
            for state in block.states:
                position = block.start.copy()
                position.state = state.copy()
                found.append(position)
        return found

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002  # as Gymnasium calls it
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def _codes(self, actions: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the move codes of actions; raise InvalidInput if one is not legal."""
        if actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer):
            raise InvalidInput(
                f"rl: actions must be whole numbers of shape ({self.num_envs},), "
                f"got {actions.dtype} of shape {actions.shape}"
            )
        rows, mask = np.arange(self.num_envs), self.observer.arrays["action_mask"]
        inside = (actions >= 0) & (actions < self.observer.actions)
        legal = inside & (mask[rows, np.where(inside, actions, 0)] == 1)
        if not legal.all():
            game = int(np.flatnonzero(~legal)[0])
            raise InvalidInput(
                f"rl: action {int(actions[game])} of game {game} is not legal; action_mask has its "
                f"{int(self.observer.counts[game])} legal actions"
            )
        if self.observer.by_code:
            return actions.astype(np.int32)
        codes: npt.NDArray[np.int32] = self.observer.arrays["moves"][rows, actions]
        return codes

    def _let_opponents_move(
        self,
        rewards: npt.NDArray[np.float32] | None = None,
        ended: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Play the moves of a policy until all learners are to move; add up rewards and ends."""
        while self.policy is not None:
            waiting = self.turn != self.learners
            if not waiting.any():
                return
            actions = np.asarray(self.policy(self.observer.arrays))
            if actions.shape != (self.num_envs,):
                raise InvalidInput(
                    f"rl: the opponent must return {self.num_envs} actions, "
                    f"got the shape {actions.shape}"
                )
            legal = self.observer.arrays["action_mask"].argmax(1)
            self.codes[:] = self._codes(np.where(waiting, actions, legal))
            self.codes[~waiting] = -1
            self._all(self._play)
            if rewards is not None and ended is not None:
                rewards += self.rewards
                ended |= self.ended == 1

    def _all(self, work: Callable[[EnvBlock], None]) -> None:
        """Run a function on all blocks, with the threads if there are any."""
        if self.pool is None:
            for block in self.blocks:
                work(block)
        else:
            list(self.pool.map(work, self.blocks))

    def _begin(self, block: EnvBlock) -> None:
        rows = block.rows
        kernels.begin_all(
            block.start.setup,
            block.states,
            self.rngs[rows],
            self.learners[rows],
            self.random_others,
        )
        self._look(block)

    def _play(self, block: EnvBlock) -> None:
        rows = block.rows
        kernels.step_all(
            *(block.start.setup, block.states, self.rngs[rows], self.learners[rows]),
            *(self.random_others, int(self.seat is None), self.codes[rows], self.rewards[rows]),
            *(self.scores[rows], self.ended[rows], self.lengths[rows], np.empty(self.seats)),
        )
        self._look(block)

    def _look(self, block: EnvBlock) -> None:
        self.observer.observe(block.start.setup, block.states, block.first)
        self.turn[block.rows] = block.states[:, TURN]


def vector(
    game: str,
    games: int,
    board: Board | str | int | None = None,
    *,
    starts: int = 1,
    seats: int | None = None,
    seed: int = 0,
    opponent: str | Policy | None = None,
    seat: int | None = None,
    touches: bool = False,
    threads: int = 1,
    **options: Any,
) -> GameVectorEnv:
    """Return many games in parallel, see :class:`GameVectorEnv`.

    Parameters
    ----------
    game
        The name of a game, as listed by ``ludograph games``.
    games
        The number of games.
    starts
        The number of different starts: those of the seeds from ``seed`` on.
    board, seats, seed, options
        See :func:`ludograph.make`.

    Examples
    --------
    >>> env = vector("hex", 64, board=5, opponent="random")
    >>> observations, infos = env.reset(seed=1)
    >>> observations["vertices"].shape, observations["action_mask"].shape
    ((64, 45, 7), (64, 46))
    >>> observations, rewards, ended, _, infos = env.step(env.sample())
    """
    if not _is_whole(starts, 1, MOST_GAMES):
        raise InvalidInput(f"rl: starts must be a whole number from 1 on, got {starts!r:.40}")
    positions = [
        registry.game(game).position(board, seats=seats, seed=seed + number, **options)
        for number in range(starts)
    ]
    return GameVectorEnv(
        positions, games, opponent=opponent, seat=seat, touches=touches, threads=threads
    )


def _is_whole(number: Any, low: int, high: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and low <= number <= high


def _check(
    starts: Sequence[Position],
    games: int,
    opponent: str | Policy | None,
    seat: int | None,
    threads: int,
) -> None:
    """Raise InvalidInput if an argument of an environment is not valid."""
    if not starts:
        raise InvalidInput("rl: no start is given")
    if not _is_whole(games, 1, MOST_GAMES) or games % len(starts):
        raise InvalidInput(
            f"rl: the number of games must be a multiple of the {len(starts)} starts, "
            f"{MOST_GAMES} at most, got {games!r:.40}"
        )
    if not _is_whole(threads, 1, MOST_THREADS):
        raise InvalidInput(f"rl: threads must be 1 to {MOST_THREADS}, got {threads!r:.40}")
    if opponent is not None and opponent != "random" and not callable(opponent):
        raise InvalidInput(f"rl: an opponent is 'random' or a function, got {opponent!r:.40}")
    if opponent is None and seat is not None:
        raise InvalidInput("rl: a seat is for a learner with an opponent, and no opponent is given")
    if seat is not None and not _is_whole(seat, 0, starts[0].seats - 1):
        raise InvalidInput(f"rl: seat must be 0 to {starts[0].seats - 1}, got {seat!r:.40}")
    if len({(type(each.setup), each.seats, _shape(each)) for each in starts}) > 1:
        raise InvalidInput("rl: the starts are not of one game with observations of one shape")
    for start in starts:
        first = np.zeros_like(start.state)
        rules.start(start.setup, first)
        if not np.array_equal(first, start.state):
            raise InvalidInput("rl: games begin before the first move, and a start has moves")


def _shape(position: Position) -> tuple[int, ...]:
    return (*sizes_of(position.setup), int(rules.info(position.setup).move_capacity))


def _blocks(starts: Sequence[Position], games: int, threads: int) -> list[EnvBlock]:
    """Return the games in blocks of one start each, for at most ``threads`` useful threads."""
    each = games // len(starts)
    rows = max(LEAST_ROWS, -(-games // threads))
    blocks = []
    for number, start in enumerate(starts):
        for first in range(number * each, (number + 1) * each, rows):
            count = min(rows, (number + 1) * each - first)
            size = int(rules.info(start.setup).state_size)
            blocks.append(EnvBlock(start, first, np.zeros((count, size), np.int32)))
    return blocks
