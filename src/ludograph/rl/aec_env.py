"""A game as a PettingZoo environment: an agent for each seat, in the order of their turns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from ludograph.boards import Board
from ludograph.errors import IllegalMove, is_whole
from ludograph.formatting import described
from ludograph.games import Position, registry
from ludograph.rl.conventions import (
    RENDER_MODES,
    check_mode,
    checked_seed,
    new_seed,
    observation_space,
    render,
)
from ludograph.rules import random_state
from ludograph.rules.joined import edges_of
from ludograph.rules.observer import Arrays, Observer
from ludograph.search.values import reward_ranks


class GameAEC(AECEnv[str, Arrays, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One game; the environment plays the moves of chance.

    Agents are called ``seat_0``, ``seat_1`` and so on. An observation is a dictionary: the arrays
    of :class:`~ludograph.rules.observer.Observer` for one game, and ``edges``, ``int32[2, links]``:
    the pairs of neighboring vertices in the board's graph, each pair in both directions. The
    ``action_mask`` of a seat that is not to move is all zeros. At the end of a game the reward is 1
    for the best seat and -1 for the worst, see :func:`~ludograph.search.values.reward_ranks`.

    Parameters
    ----------
    start
        The start of each game.
    render_mode
        ``ansi``, ``human`` (the same, printed) or ``rgb_array``.
    """

    def __init__(self, start: Position, render_mode: str | None = None) -> None:
        super().__init__()
        check_mode(render_mode)
        self.metadata: dict[str, Any] = {
            "name": f"{start.game.name}_v{start.game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.start, self.position, self.render_mode = start, start.copy(), render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(start.seats)]
        self.observer = Observer(start.setup, 1)
        self.edges = edges_of(start.board)
        space = observation_space([start], self.observer)
        space["edges"] = spaces.Box(0, max(1, start.board.n), self.edges.shape, np.int32)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, space
        )
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.observer.actions) for agent in self.possible_agents
        }
        self.rng: npt.NDArray[np.uint64] | None = None

    def __getattr__(self, name: str) -> Any:
        """Refuse what the first reset makes; so step, last and agent_iter ask for it, too."""
        if name in AECEnv.__annotations__:
            raise AttributeError(f"rl: call reset first: it makes {name}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.position!r}>"

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions: always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game.

        Parameters
        ----------
        seed
            The seed of chance. By default a new seed is drawn at the first call, and later games
            continue its random numbers.
        options
            Ignored, as PettingZoo requires: there are no options.
        """
        if seed is not None or self.rng is None:
            self.rng = random_state(new_seed() if seed is None else checked_seed(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.position = self.start.copy()
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the action of the selected agent.

        Raises
        ------
        IllegalMove
            If the action is not in the agent's mask; the game does not change.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position.push(self._code(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Arrays:
        """Return an agent's current observation, as new arrays."""
        seat = self.possible_agents.index(agent)
        return {**self.position.observe(seat), "edges": self.edges.copy()}

    def render(self) -> Any:
        """Return the position as a text or a picture; print it in the mode ``human``."""
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: PettingZoo asks every environment with pictures for it."""

    def _code(self, action: int | None) -> int:
        """Return the move code of a legal action; raise IllegalMove for any other."""
        moves = self.position.legal_moves()
        actions = moves if self.observer.by_code else range(len(moves))
        if is_whole(action) and action in actions:
            return moves[actions.index(int(action))]
        raise IllegalMove(
            f"rl: action {described(action)} of {self.agent_selection} is not legal; action_mask "
            f"has its {len(moves)} legal actions"
        )

    def _go_on(self) -> None:
        """Play the moves of chance; then select the agent to move, or end the game."""
        assert self.rng is not None  # reset comes before step
        while self.position.is_chance:
            self.position.play_random(self.rng)
        if self.position.turn is not None:
            self.agent_selection = self.possible_agents[self.position.turn]
            return
        rewards = np.zeros(self.position.seats, np.float32)
        reward_ranks(np.array(self.position.scores(), np.float64), rewards)
        self.rewards = dict(zip(self.possible_agents, map(float, rewards), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]


def aec(
    game: str,
    board: Board | str | int | None = None,
    *,
    seats: int | None = None,
    seed: int = 0,
    render_mode: str | None = None,
    **options: Any,
) -> GameAEC:
    """Return a game as a PettingZoo environment, see :class:`GameAEC`.

    Parameters
    ----------
    game
        The name of a game, as listed by ``ludograph games``.
    board, seats, seed, options
        See :func:`ludograph.make`.

    Examples
    --------
    >>> env = aec("hex", board=5)
    >>> env.reset(seed=1)
    >>> observation, reward, termination, truncation, info = env.last()
    >>> env.agent_selection, int(observation["action_mask"].sum())
    ('seat_0', 25)
    """
    start = registry.game(game).position(board, seats=seats, seed=seed, **options)
    return GameAEC(start, render_mode)
