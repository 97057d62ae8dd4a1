"""The evaluator: its call, its answers, and the sentences about wrong answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.formatting import described
from ludograph.rules import Moves, compiled
from ludograph.rules.batch import AllScores, States
from ludograph.rules.observer import Arrays, Observer

Evaluate: TypeAlias = Callable[[Arrays], tuple[npt.ArrayLike, npt.ArrayLike]]
"""``evaluate(observations)`` returns ``(policy, values)``, see
:class:`~ludograph.search.batched.searches.BatchedSearch`."""

Policy = npt.NDArray[np.float32]

LOGITS, PROBABILITIES = "logits", "probabilities"

ROUNDING = 1e-3
"""The greatest distance of a value from -1 to 1, because half precision rounds."""


def ask(
    evaluate: Evaluate, observer: Observer, seats: int, policy_is: str
) -> tuple[Policy, AllScores]:
    """Call an evaluator for all observed positions.

    Returns
    -------
    policy
        ``float32[games, actions]``, in which each legal action has a valid number.
    values
        ``float64[games, seats]``, from the seat to move on.

    Raises
    ------
    InvalidInput
        If it raises an exception, or returns anything else.
    """
    games, actions = observer.arrays["action_mask"].shape
    wanted = (
        f"evaluate must return ({policy_is}, values), arrays of shape ({games}, {actions}) and "
        f"{values_shape(games, seats)}"
    )
    try:
        answer = evaluate(observer.arrays)
    except Exception as error:
        raise InvalidInput(f"{wanted}, but it raised {type(error).__name__}: {error}") from error
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise InvalidInput(f"{wanted}, got {described(answer)}")
    policy = as_numbers(answer[0], policy_is, wanted)
    values = as_numbers(answer[1], "values", wanted)
    if policy.shape != (games, actions):
        raise InvalidInput(f"{wanted}, got {policy_is} of shape {policy.shape}")
    if values.shape != (games, seats) and (seats > 2 or values.shape != (games,)):
        raise InvalidInput(f"{wanted}, got values of shape {values.shape}")
    checked = np.ascontiguousarray(policy, np.float32)
    check_policy(checked, observer, policy_is)
    return checked, checked_values(values, seats)


def values_shape(games: int, seats: int) -> str:
    """Return the shape of values in words; with two seats there are two such shapes."""
    return f"({games},)" if seats <= 2 else f"({games}, {seats})"


def as_numbers(array: Any, name: str, wanted: str) -> npt.NDArray[Any]:
    """Return an array of real numbers: NumPy's, or of a library whose arrays NumPy can read."""
    try:
        found = np.asarray(array)
    except Exception as error:  # for example a tensor that needs gradients, or on another device
        raise InvalidInput(
            f"{wanted}, but NumPy cannot read its {name}: {type(error).__name__}: {error}"
        ) from error
    if not (np.issubdtype(found.dtype, np.floating) or np.issubdtype(found.dtype, np.integer)):
        raise InvalidInput(f"{wanted}, got {name} of type {found.dtype}")
    return found


def check_policy(policy: Policy, observer: Observer, policy_is: str) -> None:
    """Raise InvalidInput if the number of a legal action is not valid."""
    moves, counts = observer.arrays["moves"], observer.counts
    game = int(first_fault(policy, moves, counts, observer.by_code, policy_is == LOGITS))
    if game < 0:
        return
    legal = observer.arrays["action_mask"][game] == 1
    found = policy[game][legal]
    expected = "finite numbers or -inf, not all -inf"
    wrong = np.isnan(found) | (found == np.inf)
    if policy_is == PROBABILITIES:
        expected = "finite numbers from 0 on, not all 0"
        wrong = ~np.isfinite(found) | (found < 0)
    if wrong.any():
        action = int(np.flatnonzero(legal)[wrong][0])
        raise InvalidInput(
            f"{policy_is} of legal actions must be {expected}; evaluate returned "
            f"{float(policy[game, action])} for action {action} of game {game} of the batch"
        )
    raise InvalidInput(
        f"{policy_is} of legal actions must be {expected}; evaluate returned nothing else for "
        f"game {game} of the batch"
    )


@compiled
def first_fault(
    policy: Policy, moves: States, counts: Moves, by_code: bool, is_logits: bool
) -> int:
    """Return the first game with an invalid number for a legal action; -1: none."""
    for game in range(policy.shape[0]):
        is_any = False
        for place in range(counts[game]):
            number = policy[game, moves[game, place] if by_code else place]
            if not number < np.inf or (not is_logits and number < 0.0):
                return game
            is_any = is_any or (number > -np.inf if is_logits else number > 0.0)
        if not is_any:
            return game
    return -1


def checked_values(values: npt.NDArray[Any], seats: int) -> AllScores:
    """Return the values of all seats, from the seat to move on; raise InvalidInput if one is none.

    Parameters
    ----------
    values
        ``[games]`` or ``[games, seats]``.
    """
    found = values.astype(np.float64)
    fits = np.isfinite(found) if seats == 1 else np.abs(found) <= 1.0 + ROUNDING
    if not fits.all():
        place = tuple(np.argwhere(~fits)[0].tolist())
        expected = "finite numbers" if seats == 1 else "numbers from -1, lost, to 1, won"
        raise InvalidInput(
            f"values must be {expected}; evaluate returned {float(found[place])} for "
            f"game {place[0]} of the batch"
        )
    if seats > 1:
        found = found.clip(-1.0, 1.0)
    if found.ndim == 2:
        return np.ascontiguousarray(found)
    return found[:, None] if seats == 1 else np.stack([found, -found], axis=1)
