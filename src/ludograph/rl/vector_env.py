"""Thousands of games in lockstep, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ludograph import rules
from ludograph.boards import Board
from ludograph.errors import IllegalMove, InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.games import Position, registry
from ludograph.rl import kernels
from ludograph.rl.conventions import checked_seed, new_seed, observation_space
from ludograph.rl.kernels import NO_MOVE, NOBODY
from ludograph.rules import TURN, random_state
from ludograph.rules.batch import States
from ludograph.rules.joined import JoinedGraphs, joined, joined_graphs
from ludograph.rules.lockstep import LockstepThreads
from ludograph.rules.observer import Arrays, Observer, features_of

MOST_GAMES = 1 << 20
MOST_THREADS = 1024

Policy: TypeAlias = Callable[[Arrays], npt.ArrayLike]
"""An opponent as a function: it returns an action for each game of an observation."""

Seeds: TypeAlias = int | Sequence[int | None] | None


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

    def position(self, row: int) -> Position:
        """Return the position of a game of the block as a new object."""
        position = self.start.copy()
        position.state = self.states[row].copy()
        return position


class StepResults:
    """What one step writes, a row for each game: see :func:`ludograph.rl.kernels.step_all`."""

    def __init__(self, games: int, seats: int) -> None:
        self.rewards = np.zeros((games, seats), np.float32)
        self.scores = np.zeros((games, seats), np.float64)
        self.ended = np.zeros(games, np.int8)
        self.lengths = np.zeros(games, np.int32)


class GameVectorEnv(VectorEnv[Arrays, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games in parallel. Without an opponent the caller plays all seats of each game.

    An observation is a dictionary of arrays for the seat to move, see
    :class:`~ludograph.rules.observer.Observer`. Each step writes into the same arrays: copy arrays
    that you need later, and do not write into them. The observation of an ended game is its last
    position as the learner sees it, or, without an opponent, the seat that has moved last; its only
    action is 0. No game is truncated.

    ``infos`` has, by game: ``turn``, the seat to move now, -1 after the end; ``rewards``,
    ``float32[games, seats]``; and for games that have just ended ``scores`` and ``plies``; for
    these games ``_scores`` and ``_plies`` are true. With ``SAME_STEP`` their last observations are
    in ``final_obs``, one dictionary of new arrays each, and their results in ``final_info``.

    Parameters
    ----------
    starts
        One or more starts of a game, before the first move, for equal numbers of games. If their
        boards have different sizes, arrays have room for the largest, and numbers behind those of a
        smaller board are 0; :meth:`ragged` returns them without this room.
    games
        The number of games: a multiple of the number of starts.
    opponent
        None; ``random``; or a function that takes an observation of all games and returns an action
        for each. An action counts only if an opponent is to move in its game. With an opponent,
        ``step`` goes to the learner's next decision, and its reward is the learner's.
    seat
        The seat of the learner, if there is an opponent; by default the seats take turns.
    autoreset_mode
        When a game that has ended begins again, as in Gymnasium: ``NextStep``, in the next step,
        which ignores its action and gives no reward; ``SameStep``, in the same step; ``Disabled``,
        only by :meth:`reset`.
    illegal
        ``raise``: an illegal action is an error. ``lose``: it ends its game, its seat gets the
        reward -1, and the others share 1 equally. The only seat of a game gets its lowest score.
        Its ``scores`` are those of the last position.
    touches
        Whether observations have the vertices touched by each legal move.
    threads
        The number of threads that play. The games do not depend on it.
    """

    def __init__(
        self,
        starts: Sequence[Position],
        games: int,
        *,
        opponent: str | Policy | None = None,
        seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        illegal: str = "raise",
        touches: bool = False,
        threads: int = 1,
    ) -> None:
        _check(starts, games, opponent, seat, threads)
        first = starts[0]
        self.seats = first.seats
        self.num_envs = games = int(games)
        self.policy = opponent if callable(opponent) else None
        self.random_others = opponent == "random"
        self.has_learner = opponent is not None
        self.seat = seat
        self.mode = _checked_mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.mode}
        if illegal not in ("raise", "lose"):
            raise InvalidInput(f"rl: illegal is 'raise' or 'lose', got {illegal!r:.40}")
        self.illegal = illegal
        others = [start.setup for start in starts[1:]]
        self.observer = Observer(first.setup, games, touches=touches, others=others)
        self.single_observation_space = observation_space(starts, self.observer)
        self.single_action_space = spaces.Discrete(self.observer.actions)
        self.observation_space = batch_space(self.single_observation_space, games)
        self.action_space = batch_space(self.single_action_space, games)
        self.graphs: JoinedGraphs | None = None
        self.threads = LockstepThreads(threads)
        layout = [(start, games // len(starts)) for start in starts]
        self.blocks = [
            EnvBlock(start, first, np.tile(start.state, (count, 1)))
            for start, first, count in self.threads.blocks(layout)
        ]
        self.rngs = np.zeros(games, np.uint64)
        self.learners = np.full(games, NOBODY, np.int32)
        self.turn = np.zeros(games, np.int32)
        self.moved = np.zeros(games, np.int32)  # the seats that see the ends of games
        self.resting = np.zeros(games, np.int8)  # 1: has ended, and is to begin again
        self.codes = self._no_moves()
        self.results = StepResults(games, self.seats)
        self.finals: dict[int, Arrays] = {}
        self.is_begun = False

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin all games, or some of them.

        Parameters
        ----------
        seed
            Game ``i`` uses the random numbers of ``random_state(seed, i)``, independent of other
            games; or a seed for each game, which uses those of ``random_state(seed[i], 0)``. By
            default a new seed is drawn at the first call; later calls continue the random numbers,
            also those of single games whose seed is None. A seed puts the learner of a game on its
            first seat. Without one the learner moves on to the next seat if its game has ended.
        options
            ``{"reset_mask": mask}``: begin only the games where ``mask``, ``bool[games]``, is true.

        Returns
        -------
        observations, infos
            See :class:`GameVectorEnv`.
        """
        chosen = self._chosen(options or {})
        seeds = self._seeds(seed)
        self._move_on(slice(None), self.resting * chosen)
        for game in np.flatnonzero(chosen).tolist():
            number, stream = seeds[game]
            if number is not None:
                self.rngs[game] = random_state(number, stream)[0]
                if self.has_learner:
                    self.learners[game] = game % self.seats if self.seat is None else self.seat
        self.is_begun = True
        self.resting = self.resting * (1 - chosen)
        self.moved = np.where(chosen, np.maximum(self.learners, 0), self.moved)
        self.results = StepResults(self.num_envs, self.seats)
        self.threads.run(partial(self._begin, chosen=chosen), self.blocks)
        self._play(self._no_moves(), is_last=False)
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
        IllegalMove
            If an action is not legal, and ``illegal`` is ``raise``: then no move is played.
        InvalidInput
            If a game has ended, and the mode is ``Disabled``.
        """
        if not self.is_begun:
            raise InvalidInput("rl: call reset before step")
        if self.mode is AutoresetMode.DISABLED and self.resting.any():
            raise InvalidInput(
                f"rl: game {int(self.resting.argmax())} has ended; call reset, with the option "
                "reset_mask if other games go on"
            )
        again, results = self.resting, StepResults(self.num_envs, self.seats)
        codes = self._codes(actions, again)
        if again.any():
            self._move_on(slice(None), again)
            self.threads.run(partial(self._begin, chosen=again), self.blocks)
        self.moved = self.learners.copy() if self.has_learner else np.maximum(self.turn, 0)
        self.results, self.finals = results, {}
        is_same_step = self.mode is AutoresetMode.SAME_STEP
        self._play(codes, is_last=is_same_step and self.policy is None)
        self._let_opponents_move()
        if self.policy is not None:  # it may have ended games that have just begun
            results.rewards[again == 1], results.ended[again == 1] = 0.0, 0
        if not is_same_step:
            self.resting = results.ended
        elif self.policy is not None and results.ended.any():
            self._play(self._no_moves(), is_last=True)
            self.results = StepResults(self.num_envs, self.seats)
            self._let_opponents_move()
        ended = results.ended == 1
        infos: dict[str, Any] = {
            "turn": self.turn,
            "rewards": results.rewards,
            "scores": results.scores,
            "plies": results.lengths,
            "_scores": ended,
            "_plies": ended,
        }
        if self.finals:
            final = np.full(self.num_envs, None, object)
            for game, seen in self.finals.items():
                final[game] = seen
            turn = np.full(self.num_envs, -1, np.int32)
            of_ended = infos | {"turn": turn, "_turn": ended, "_rewards": ended}
            infos |= {"final_obs": final, "_final_obs": ended}
            infos |= {"final_info": of_ended, "_final_info": ended}
        own, games = np.zeros(self.num_envs), np.flatnonzero(ended)
        own[games] = results.rewards[games, self.moved[games]]
        return self.observer.arrays, own, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions: ``bool[games, actions]``, as sb3-contrib asks for them."""
        return self.observer.arrays["action_mask"].astype(np.bool_)

    def ragged(self) -> Arrays:
        """Return the observations as one graph: see :func:`ludograph.rules.joined.joined`."""
        if self.graphs is None:
            starts = [block.start for block in self.blocks for _ in block.states]
            self.graphs = joined_graphs([(start.setup, start.board) for start in starts])
        return joined(self.observer, self.graphs)

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
        if not _is_whole(game, 0, self.num_envs - 1):
            raise InvalidInput(f"rl: game must be 0 to {self.num_envs - 1}, got {game!r:.40}")
        block = next(each for each in self.blocks if game < each.rows.stop)
        return block.position(game - block.first)

    def positions(self) -> list[Position]:
        """Return the positions of all games as new objects, for example for searches."""
        return [block.position(row) for block in self.blocks for row in range(len(block.states))]

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002  # as Gymnasium calls it
        """End the threads."""
        self.threads.close()

    def _chosen(self, options: dict[str, Any]) -> npt.NDArray[np.int8]:
        """Return 1 for each game that a reset with these options begins."""
        if unknown := options.keys() - {"reset_mask"}:
            raise InvalidInput(f"rl: reset has no option {described(min(unknown))}")
        if "reset_mask" not in options:
            return np.ones(self.num_envs, np.int8)
        mask = options["reset_mask"]
        if not self.is_begun:
            raise InvalidInput("rl: the first reset begins all games, without reset_mask")
        if getattr(mask, "dtype", None) != np.bool_ or mask.shape != (self.num_envs,):
            raise InvalidInput(
                f"rl: reset_mask must be an array bool[{self.num_envs}], got {described(mask)}"
            )
        if not mask.any():
            raise InvalidInput("rl: reset_mask chooses no game")
        return np.asarray(mask, np.int8)

    def _seeds(self, seed: Seeds) -> list[tuple[int | None, int]]:
        """Return for each game its seed, or None to go on, and its stream of random numbers."""
        games = range(self.num_envs)
        if isinstance(seed, list | tuple | np.ndarray):
            if len(seed) != self.num_envs:
                raise InvalidInput(f"rl: {self.num_envs} games need as many seeds, not {len(seed)}")
            fresh = [None if self.is_begun else new_seed() for _ in games]
            pairs = zip(seed, fresh, strict=True)
            return [(other if own is None else checked_seed(own), 0) for own, other in pairs]
        if seed is None and not self.is_begun:
            seed = new_seed()
        number = None if seed is None else checked_seed(seed)
        return [(number, game) for game in games]

    def _move_on(self, rows: slice, ended: npt.NDArray[np.int8]) -> None:
        """Put the learners of some rows on their next seats where games have ended."""
        if self.has_learner and self.seat is None:
            self.learners[rows] = (self.learners[rows] + ended) % self.seats

    def _codes(
        self, actions: npt.ArrayLike, waiting: npt.NDArray[np.int8], whose: str = ""
    ) -> npt.NDArray[np.int32]:
        """Return the codes of the actions of all games that do not wait."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            raise IllegalMove(
                f"rl: actions{whose} must be whole numbers of shape ({self.num_envs},), "
                f"got {given.dtype} of shape {given.shape}"
            )
        codes, arrays = np.empty(self.num_envs, np.int32), self.observer.arrays
        mask, moves = arrays["action_mask"], arrays["moves"]
        game = int(
            kernels.decode_all(
                given.astype(np.int64), waiting, mask, moves, self.observer.by_code, codes
            )
        )
        if game >= 0 and self.illegal == "raise":
            raise IllegalMove(
                f"rl: action {int(given[game])}{whose} of game {game} is not legal; action_mask "
                f"has its {int(mask[game].sum())} legal actions"
            )
        return codes

    def _let_opponents_move(self) -> None:
        """Play the moves of a policy until all learners are to move, or their games are over."""
        while self.policy is not None:
            waiting = (self.turn != self.learners) & (self.turn >= 0)
            if not waiting.any():
                return
            self.is_begun = False  # until they have moved: after an error reset comes first
            actions = self.policy(self.observer.arrays)
            codes = self._codes(actions, (~waiting).astype(np.int8), " of the opponent")
            self._play(codes, is_last=False)
            self.is_begun = True

    def _no_moves(self) -> npt.NDArray[np.int32]:
        return np.full(self.num_envs, NO_MOVE, np.int32)

    def _play(self, codes: npt.NDArray[np.int32], *, is_last: bool) -> None:
        """Play a move in each game; after the last move of a step begin ended games again."""
        self.codes, self.turn = codes, np.empty(self.num_envs, np.int32)
        self.threads.run(partial(self._turn, is_last=is_last), self.blocks)

    def _begin(self, block: EnvBlock, chosen: npt.NDArray[np.int8]) -> None:
        """Start the chosen games of a block."""
        rows = block.rows
        kernels.begin_all(
            *(block.start.setup, block.states, self.rngs[rows], self.learners[rows]),
            *(self.random_others, chosen[rows]),
        )

    def _turn(self, block: EnvBlock, *, is_last: bool) -> None:
        """Play a move in each game of a block, and observe the games."""
        rows, found, setup = block.rows, self.results, block.start.setup
        kernels.step_all(
            *(setup, block.states, self.rngs[rows], self.learners[rows], self.random_others),
            *(self.codes[rows], found.rewards[rows], found.scores[rows], found.ended[rows]),
            *(found.lengths[rows], np.empty(self.seats)),
        )
        if is_last and found.ended[rows].any():
            self._finish(block)
        np.maximum(block.states[:, TURN], -1, out=self.turn[rows])
        self.observer.observe(setup, block.states, block.first, self.moved[rows])

    def _finish(self, block: EnvBlock) -> None:
        """Keep the last observations of the games of a block that have ended; begin them again."""
        rows, ended, setup = block.rows, self.results.ended, block.start.setup
        games = np.flatnonzero(ended[rows])
        final = self.observer.for_games(games.size)
        final.observe(setup, block.states[games], 0, self.moved[rows][games])
        for place, game in enumerate(games.tolist()):
            seen = {name: array[place] for name, array in final.arrays.items()}
            self.finals[block.first + game] = seen
        self._move_on(rows, ended[rows])
        self._begin(block, ended)


def vector(
    game: str,
    games: int,
    board: Board | str | int | Sequence[Board | str | int] | None = None,
    *,
    starts: int = 1,
    seats: int | None = None,
    seed: int = 0,
    opponent: str | Policy | None = None,
    seat: int | None = None,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    illegal: str = "raise",
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
    board
        As for :func:`ludograph.make`, or several boards, for equal numbers of games.
    starts
        The number of different starts on each board: those of the seeds from ``seed`` on.
    seats, seed, options
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
    boards: Sequence[Any] = board if isinstance(board, list | tuple) else [board]
    positions = [
        registry.game(game).position(each, seats=seats, seed=seed + number, **options)
        for each in boards
        for number in range(starts)
    ]
    return GameVectorEnv(
        positions,
        games,
        opponent=opponent,
        seat=seat,
        autoreset_mode=autoreset_mode,
        illegal=illegal,
        touches=touches,
        threads=threads,
    )


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(each.value for each in AutoresetMode)
        raise InvalidInput(f"rl: autoreset_mode is one of {names}, got {mode!r:.40}") from None


def _is_whole(number: Any, low: int, high: int) -> bool:
    return is_whole(number) and low <= number <= high


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
    if len({features_of(each.setup) for each in starts}) > 1:
        raise InvalidInput("rl: the starts are not of one game with as many seats and features")
    for start in starts:
        first = np.zeros_like(start.state)
        rules.start(start.setup, first)
        if not np.array_equal(first, start.state):
            raise InvalidInput("rl: games begin before the first move, and a start has moves")
