"""Checks of an author's functions on a few positions before a search uses them.

In a search a function that fails loses a game, and one that reads or writes outside its arrays
changes the memory of the process. So each function runs as plain Python first, over arrays that
refuse such an index, then as machine code. A fault is one sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput, did_you_mean, is_whole
from ludograph.formatting import described
from ludograph.rules import CHANCE, OVER, TURN, Kernel, Setup, State, random_state
from ludograph.rules.announcer import announcer
from ludograph.rules.answers import fresh_state, moves_at, play_at
from ludograph.rules.compile_errors import CannotCompile, missing_name
from ludograph.rules.strict import Budget, Enough, Plain, guarded, is_beyond_array, strict
from ludograph.search.alphabeta import LARGE
from ludograph.search.custom.setups import (
    REPLACEABLE,
    WITHOUT_CHANCE,
    Part,
    part_of,
)
from ludograph.search.plain_games import (
    FOR_A_SEAT,
    content_of,
    place_of,
    unchecked_in_words,
)
from ludograph.search.proof.game import MOST
from ludograph.search.searched import OWN, SearchedPosition

GAMES, POSITIONS, PLIES = 12, 16, 1_000
"""Functions are tested in positions of this number of random games, in up to this number of each.
After this number of plies no further game begins."""

CALLS = 25
"""The number of positions in which a function is called as machine code."""

INDICES, FEWEST = 10_000, 4
"""As plain Python a function is called until this number of indices was checked, which takes some
20 ms; but in no fewer positions than this."""

MOST_INDICES = 200_000
"""The number of checked indices after which a call is not finished."""

PRECISION = 1e-6
"""The greatest deviation of a sum of probabilities from 1."""


class Sample(NamedTuple):
    """A position for the tests of functions, with its name in a sentence."""

    setup: Setup
    state: State
    name: str
    data: tuple[Any, ...]
    """The last argument of the functions, if any."""


class CheckedCall(NamedTuple):
    """A call of an author's function in a position: what it returned, and its arrays by name."""

    name: str
    sample: Sample
    answer: Any
    arrays: Mapping[str, Any]

    def wrong(self, what: str, needed: str = "") -> InvalidInput:
        """Return the error that the function does something, and what it must do instead."""
        return InvalidInput(f"{self.name} {what}, on {self.sample.name}{needed and f'; {needed}'}")


def checked_parts(
    position: SearchedPosition, names: Sequence[str], functions: Sequence[Any], data: Any
) -> dict[str, Part]:
    """Return an author's functions, each tried on some positions of the game.

    Parameters
    ----------
    names, functions
        The hints and the functions that replace them; None: the game's own.
    data
        Their last argument; None: they have no such argument.

    Raises
    ------
    InvalidInput
        If a function has other parameters, cannot be compiled, raises, or writes what no search can
        use; or if the data are none that compiled functions can read.
    """
    check_data(data)
    kinds = (type(position.game.search_view(position, OWN).setup), type(position.setup))
    parts = {}
    for name, function in zip(names, functions, strict=True):
        if function is not None:
            check_parameters(name, function, has_data=data is not None)
            check_names(name, function)
            parts[name] = part_of(name, function, kinds)
    if not parts:
        return parts
    found = samples(position, data)
    for name, part in parts.items():
        own = [sample for sample in found if is_asked(name, sample)]
        check_indices(name, part.kernel, own)
        for sample in own[:CALLS]:
            CHECKS[name](call(name, part.kernel, sample))
    return parts


def check_indices(name: str, kernel: Kernel, found: Sequence[Sample]) -> None:
    """Raise InvalidInput if a function reads or writes beyond an array, as plain Python.

    Other errors are left to the compiler and to the checks of the machine code: divisions by zero,
    for example, raise in plain Python alone. If the function fails so in each sample, a warning
    says that its indices are not checked.
    """
    budget = Budget(MOST_INDICES)
    plain = Plain(budget=budget)
    function = plain.of(kernel)
    setup = strict(found[0].setup, "setup", budget) if found else None
    called, errors = 0, list[Exception]()
    for sample in found:
        if called >= FEWEST and budget.left <= MOST_INDICES - INDICES:
            break
        called += 1
        try:
            with np.errstate(all="ignore"):
                given = arguments(name, sample)
                arrays = [strict(value, each, budget) for each, value in given.items()]
                data = [strict(each, "data", budget) for each in sample.data]
                function(setup, *arrays, *data)
        except Enough:
            break
        except Exception as error:
            if not is_beyond_array(error):
                errors.append(error)
                continue
            place = place_of(error)
            raise InvalidInput(
                f"{name} reads or writes beyond an array: {Path(place.filename).name}, line "
                f"{place.lineno}, in {place.name}: {error}, on {sample.name}"
            ) from error
    if errors and len(errors) == called:
        announcer.warn_once(unchecked_in_words(name, errors[0]))


def is_asked(name: str, sample: Sample) -> bool:
    """Tell whether searches call an author's function in a position; some need a seat to move."""
    hint = REPLACEABLE[name]
    is_for_a_seat = hint.rules[0] in FOR_A_SEAT or hint.source == WITHOUT_CHANCE
    return not is_for_a_seat or bool(sample.state[TURN] >= 0)


def arguments(name: str, sample: Sample) -> dict[str, Any]:
    """Return the arrays that a function gets between the Setup and the data, by parameter."""
    bounds = rules.info(sample.setup)
    moves = moves_at(sample.setup, sample.state)
    given = {"state": sample.state.copy(), "rng": random_state(1)}
    return {
        each: given[each] if each in given else content_of(name, each, bounds, moves)
        for each in REPLACEABLE[name].parameters[1:]
    }


def refuse_unknown(search: str, names: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Raise InvalidInput if there are keywords that a search does not have."""
    for name in names:
        raise InvalidInput(
            f"{search} has no keyword {name!r}; it has {', '.join(known)}"
            f"{did_you_mean(name, known)}"
        )


def check_data(data: Any) -> None:
    """Raise InvalidInput unless data are None, an array of numbers, or a NamedTuple of such."""
    values: Iterable[Any] = () if data is None else (data,)
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        values = (value for value in data if not isinstance(value, int | float))
    for value in values:
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "biuf":
            raise InvalidInput(
                "data must be a NumPy array of numbers, or a NamedTuple of arrays and numbers, got "
                f"{described(value)}"
            )


def check_parameters(name: str, function: Any, *, has_data: bool) -> None:
    """Raise InvalidInput unless something is a function of as many arguments as a hint has."""
    parameters = REPLACEABLE[name].parameters + (("data",) if has_data else ())
    wanted = f"{name}({', '.join(parameters)})"
    if isinstance(function, Kernel):
        function = function.python
    if not inspect.isfunction(function):
        raise InvalidInput(
            f"{name} must be a function {wanted} of a module, got {described(function)}"
        )
    found = inspect.signature(function).parameters.values()
    plain = [each for each in found if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    if len(found) != len(parameters) or len(plain) != len(parameters):
        raise InvalidInput(
            f"{name} takes {len(parameters)} arguments, {wanted}, but {function.__name__} has "
            f"{len(found)}: ({', '.join(map(str, found))})"
        )
    names = [each.name for each in plain]
    if sorted(names) == sorted(parameters) and names != list(parameters):
        raise InvalidInput(
            f"{name} takes its arguments in another order, {wanted}, but {function.__name__} has "
            f"({', '.join(names)})"
        )


def check_names(name: str, function: Any) -> None:
    """Raise InvalidInput if a function uses a name that a module does not have."""
    error = missing_name([function.python if isinstance(function, Kernel) else function])
    if error is not None:
        raise InvalidInput(cannot_be_compiled(name, error))


def cannot_be_compiled(name: str, error: CannotCompile) -> str:
    """Return the sentence about an author's function; its name gives the file."""
    return f"{name} cannot be compiled: line {error.line}: {error.reason}"


def samples(position: SearchedPosition, data: Any) -> list[Sample]:
    """Return the position itself, and positions of random games in any order; none is over."""
    setup, last = position.setup, () if data is None else (data,)
    rng, found, played = random_state(0), list[Sample](), 0
    for game in range(GAMES):
        states = random_game(setup, rng)
        step = max(1, len(states) // POSITIONS)
        for ply, state in enumerate(states):
            if (ply - game) % step == 0 or ply == len(states) - 1:
                found.append(Sample(setup, state, f"a random position after {ply} moves", last))
        played += len(states)
        if played > PLIES:
            break
    Random(0).shuffle(found)  # a function that takes long is seen in few positions
    if position.state[TURN] != OVER:
        found.insert(0, Sample(setup, position.state, "the position given", last))
    return found


def random_game(setup: Setup, rng: rules.Rng) -> list[State]:
    """Return the states of a random game, without the last one, which is over."""
    state, states = fresh_state(setup), []
    while state[TURN] != OVER:
        states.append(state.copy())
        play_at(setup, state, rules.sample_move(setup, state, rng))
    return states


def check_provable(setup: Setup) -> None:
    """Raise InvalidInput unless a game is for two seats and has no chance in random games."""
    if rules.info(setup).seats != 2:
        raise InvalidInput(f"proofs are for two seats, and this game has {rules.info(setup).seats}")
    rng = random_state(0)
    for _ in range(GAMES):
        if any(state[TURN] == CHANCE for state in random_game(setup, rng)):
            raise InvalidInput("proofs are for games without chance, and this game has some")


def call(name: str, kernel: Kernel, sample: Sample) -> CheckedCall:
    """Call an author's function as machine code, its arrays between guards.

    A function that fails as plain Python, and the end of one that takes long, are unchecked so far:
    only the guards find what these write beyond an array.

    Raises
    ------
    InvalidInput
        If it cannot be compiled, raises, writes beyond an array, or changes one that it may only
        read.
    """
    given = arguments(name, sample)
    for value in given.values():
        if value.dtype == np.float64:
            value[:] = np.nan  # so that a missing number is noticed
    copies = {parameter: guarded(value) for parameter, value in given.items()}
    arrays = {parameter: array for parameter, (array, _) in copies.items()}
    try:
        answer = kernel(sample.setup, *arrays.values(), *sample.data)
    except CannotCompile as error:
        raise InvalidInput(cannot_be_compiled(name, error)) from None
    except Exception as error:
        what = f"{type(error).__name__}{f': {error}' if str(error) else ''}"
        raise InvalidInput(f"{name} raises {what}, on {sample.name}") from error
    made = CheckedCall(name, sample, answer, arrays)
    for parameter, (array, stands) in copies.items():
        if not stands():
            raise made.wrong(f"writes beyond {parameter}", f"{parameter} has {array.size} numbers")
        is_read = parameter == "moves" or (parameter == "state" and "rng" not in arrays)
        if is_read and not np.array_equal(array, given[parameter]):
            raise made.wrong(f"changes {parameter}", "it may only read it")
    return made


def check_values(made: CheckedCall) -> None:
    """Raise InvalidInput if values of seats are not numbers, or larger than any score."""
    for seat, value in enumerate(made.arrays["out"].tolist()):
        if np.isnan(value):
            raise made.wrong(
                f"writes no number to out[{seat}]",
                "it must write one for each seat (nan is no number)",
            )
        if abs(value) >= LARGE / 4:
            raise made.wrong(
                f"writes {value:g} to out[{seat}]",
                f"values are estimates of scores, less than {LARGE / 4:g}",
            )


def check_priors(made: CheckedCall) -> None:
    """Raise InvalidInput if the numbers written for moves are not probabilities."""
    out = made.arrays["out"]
    total = out.sum()
    if not (out >= 0.0).all() or abs(total - 1.0) > PRECISION:
        raise made.wrong(
            f"writes {out.min():g} to {out.max():g} with the sum {total:g}",
            "it must write a probability for each move, with the sum 1",
        )


def check_candidates(made: CheckedCall) -> None:
    """Raise InvalidInput if a listed move is illegal, or listed twice."""
    legal = moves_at(made.sample.setup, made.sample.state)
    if not is_whole(made.answer) or not 1 <= made.answer <= legal.size:
        raise made.wrong(
            f"returns {described(made.answer)}",
            f"it must return how many moves it has written, 1 to {legal.size} here",
        )
    listed = made.arrays["out"][: made.answer].tolist()
    if wrong := sorted(set(listed) - set(legal.tolist())):
        raise made.wrong(f"lists the move {wrong[0]}, which is not legal")
    if len(set(listed)) < len(listed):
        raise made.wrong("lists a move twice")


def check_proven_scores(made: CheckedCall) -> None:
    """Raise InvalidInput if proven scores are not numbers."""
    check_truth(made)
    if made.answer and not np.isfinite(made.arrays["out"]).all():
        raise made.wrong("returns True but writes no scores to out")


def check_score_bounds(made: CheckedCall) -> None:
    """Raise InvalidInput if score bounds are not numbers in order."""
    check_truth(made)
    if made.answer and not (made.arrays["low"] <= made.arrays["high"]).all():
        raise made.wrong("writes no lower and upper bounds")


def check_proof_numbers(made: CheckedCall) -> None:
    """Raise InvalidInput if an author's first proof numbers are not valid."""
    for seat, number in enumerate(made.arrays["out"].tolist()):
        if not 1.0 <= number <= MOST:
            raise made.wrong(
                f"writes {number:g} to out[{seat}]",
                f"it must write a number from 1 to {MOST} for each seat",
            )


def check_truth(made: CheckedCall) -> None:
    """Raise InvalidInput unless a function has returned True or False."""
    if not isinstance(made.answer, bool | np.bool_):  # of NumPy where nothing is compiled
        raise made.wrong(f"returns {described(made.answer)}", "it must return True or False")


CHECKS: Mapping[str, Callable[[CheckedCall], None]] = {
    "evaluate": check_values,
    "candidates": check_candidates,
    "proven_scores": check_proven_scores,
    "score_bounds_at": check_score_bounds,
    "playout": check_values,
    "leaf_value": check_values,
    "priors": check_priors,
    "proof_numbers": check_proof_numbers,
}
"""The test of each function, by the hint that it replaces."""
