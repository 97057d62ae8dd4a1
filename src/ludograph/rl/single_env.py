"""A game for a single learner, as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from ludograph.boards import Board
from ludograph.games import Position, registry
from ludograph.rl.conventions import RENDER_MODES, check_mode, checked_seed, render
from ludograph.rl.vector_env import GameVectorEnv, Policy
from ludograph.rules.observer import Arrays


class GameEnv(gymnasium.Env[Arrays, int]):
    """One game against an opponent; each step goes to the learner's next decision.

    Parameters
    ----------
    start, opponent, seat, illegal
        See :class:`~ludograph.rl.vector_env.GameVectorEnv`.
    render_mode
        ``ansi``, ``human`` (the same, printed) or ``rgb_array``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        start: Position,
        *,
        opponent: str | Policy = "random",
        seat: int | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        check_mode(render_mode)
        lone = start.seats == 1
        self.games = GameVectorEnv(
            [start],
            1,
            opponent=None if lone else opponent,
            seat=None if lone else seat,
            autoreset_mode=AutoresetMode.DISABLED,
            illegal=illegal,
        )
        self.observation_space: spaces.Space[Arrays] = self.games.single_observation_space
        self.action_space: spaces.Space[Any] = self.games.single_action_space
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin a game: see :meth:`ludograph.rl.vector_env.GameVectorEnv.reset`."""
        super().reset(seed=None if seed is None else checked_seed(seed))
        seen, infos = self.games.reset(seed=seed, options=options)
        return _one(seen), {"turn": int(infos["turn"][0])}

    def step(self, action: int) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Play an action of the learner, and the answers of the opponents.

        At the end of a game the observation is that of its last position.

        Raises
        ------
        IllegalMove
            If the action is not legal, and ``illegal`` is ``raise``: then no move is played.
        InvalidInput
            If the game has ended.
        """
        seen, rewards, ended, _, infos = self.games.step(np.array([action]))
        info: dict[str, Any] = {"turn": int(infos["turn"][0])}
        if ended[0]:
            info |= {"scores": infos["scores"][0].copy(), "plies": int(infos["plies"][0])}
        if self.render_mode == "human":
            self.render()
        return _one(seen), float(rewards[0]), bool(ended[0]), False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions: ``bool[actions]``, as sb3-contrib asks for them."""
        found: npt.NDArray[np.bool_] = self.games.action_masks()[0]
        return found

    def render(self) -> Any:
        """Return the position as a text or a picture; print it in the mode ``human``."""
        return render(self.games.position(0), self.render_mode)


def _one(seen: Arrays) -> Arrays:
    return {name: array[0].copy() for name, array in seen.items()}


def env(
    game: str,
    board: Board | str | int | None = None,
    *,
    seats: int | None = None,
    seed: int = 0,
    opponent: str | Policy = "random",
    seat: int | None = None,
    illegal: str = "raise",
    render_mode: str | None = None,
    **options: Any,
) -> GameEnv:
    """Return a game for a single learner, see :class:`GameEnv`.

    Parameters
    ----------
    game
        The name of a game, as listed by ``ludograph games``.
    board, seats, seed, options
        See :func:`ludograph.make`.

    Examples
    --------
    >>> game = env("penguins", seat=0)
    >>> observation, info = game.reset(seed=1)
    >>> info["turn"], game.action_space.n > 60
    (0, True)
    """
    start = registry.game(game).position(board, seats=seats, seed=seed, **options)
    return GameEnv(start, opponent=opponent, seat=seat, illegal=illegal, render_mode=render_mode)
