"""Checks of an author's functions on a few positions before a search uses them.

In a search a function that fails loses a game, and one that reads or writes outside its arrays
changes the memory of the process. So each function runs as plain Python first, over arrays that
refuse such an index, then as machine code. A fault is one sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Real
from pathlib import Path
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput, did_you_mean, is_whole
from ludograph.quoting import described
from ludograph.rules import CHANCE, OVER, TURN, Kernel, Scores, Setup, State, random_state
from ludograph.rules.announcer import announcer
from ludograph.rules.compile_errors import CannotCompile, missing_name
from ludograph.rules.strict import Budget, Enough, Plain, strict
from ludograph.search.alphabeta import LARGE
from ludograph.search.custom.setups import HINTS, Part, SearchedPosition, part_of
from ludograph.search.plain_games import content_of, is_wrong_index, place_of, unchecked_in_words
from ludograph.search.proof.game import MOST

T = TypeVar("T", bound=np.generic)

GUARD = 64
"""The guard numbers before and behind an array; a function that changes them writes out of
bounds."""

GAMES, POSITIONS = 3, 8
"""The number of random games, and of positions of each, for the tests of a function."""

PLAIN_GAMES, PLAIN_POSITIONS, PLAIN_PLIES = 12, 16, 500
"""The same for its tests as plain Python: fewer games after so many plies."""

INDICES, FEWEST = 10_000, 4
"""After so many checked indices, some 20 ms, a function is called in no further position; but in so
many positions it is called at least."""

MOST_INDICES = 200_000
"""The checked indices after which a long function is left in the middle of a call."""

FOR_A_SEAT = ("candidates", "priors", "proven_scores", "score_bounds_at", "proof_numbers")
"""The hints that are called only if a seat is to move."""

PRECISION = 1e-6
"""The greatest deviation of a sum of probabilities from 1."""


class Sample(NamedTuple):
    """A position for the tests of functions, with its name in a sentence."""

    setup: Setup
    state: State
    name: str
    data: tuple[Any, ...]
    """The last argument of the functions, if any."""


class Guarded(Generic[T]):
    """An array between guard numbers that no function may change.

    Attributes
    ----------
    inside
        The array that a function gets.
    """

    def __init__(self, size: int, value: T) -> None:
        self.value = value
        self.whole = np.full(size + 2 * GUARD, value)
        self.inside = self.whole[GUARD : GUARD + size]

    @property
    def is_intact(self) -> bool:
        """Whether nothing was written around the array."""
        around = np.concatenate([self.whole[:GUARD], self.whole[-GUARD:]])
        return bool(np.array_equal(around, np.full(2 * GUARD, self.value), equal_nan=True))


def checked_parts(
    position: SearchedPosition, functions: Mapping[str, Any], data: Any
) -> dict[str, Part]:
    """Return an author's functions, each tried on some positions of the game.

    Parameters
    ----------
    functions
        The functions by the hint that they replace; None: the game's own.
    data
        Their last argument; None: they have no such argument.

    Raises
    ------
    InvalidInput
        If a function has other parameters, cannot be compiled, raises, or writes what no search can
        use; or if the data are none that compiled functions can read.
    """
    check_data(data)
    kinds = (type(position.game.search_setup(position.setup)), type(position.setup))
    parts = {}
    for name, function in functions.items():
        if function is not None:
            check_parameters(name, function, has_data=data is not None)
            check_names(name, function)
            parts[name] = part_of(name, function, kinds)
    if not parts:
        return parts
    many = list(samples(position, data, PLAIN_GAMES, PLAIN_POSITIONS))
    Random(0).shuffle(many)  # a function that takes long is seen in few positions
    many.sort(key=lambda sample: sample.state is not position.state)
    for name, part in parts.items():
        check_indices(name, part.kernel, many)
    for sample in samples(position, data, GAMES, POSITIONS):
        for name, part in parts.items():
            CHECKS[name](name, part.kernel, sample)
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
        if name in FOR_A_SEAT and sample.state[TURN] < 0:
            continue
        called += 1
        try:
            with np.errstate(all="ignore"):
                function(setup, *arguments(name, sample, budget))
        except Enough:
            break
        except Exception as error:
            if not is_wrong_index(error):
                errors.append(error)
                continue
            place = place_of(error)
            raise InvalidInput(
                f"{name} reads or writes beyond an array: {Path(place.filename).name}, line "
                f"{place.lineno}, in {place.name}: {error}, on {sample.name}"
            ) from error
    if errors and len(errors) == called:
        announcer.warn_once(unchecked_in_words(name, errors[0]))


def arguments(name: str, sample: Sample, budget: Budget) -> list[Any]:
    """Return the arguments of a function behind the Setup, in arrays that check their indices."""
    bounds = rules.info(sample.setup)
    moves = np.empty(bounds.move_capacity, np.int32)
    moves = moves[: rules.legal_moves(sample.setup, sample.state, moves)]
    values = {"state": sample.state.copy(), "rng": random_state(1)}
    given = []
    for parameter in HINTS[name].parameters[1:]:
        value = values.get(parameter)
        if value is None:
            value = content_of(name, parameter, bounds, moves)
        given.append(strict(value, parameter, budget))
    return given + [strict(each, "data", budget) for each in sample.data]


def refuse_unknown(search: str, names: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Raise InvalidInput if there are keywords that a search does not have."""
    for name in names:
        raise InvalidInput(
            f"{search} has no keyword {name!r}; it has {', '.join(known)}"
            f"{did_you_mean(name, known)}"
        )


def checked_number(name: str, number: Any, low: float, high: float) -> float:
    """Return a number; raise InvalidInput if it is not one, or out of its range."""
    is_number = isinstance(number, Real) and not isinstance(number, bool)
    if not is_number or not low <= number <= high:
        raise InvalidInput(
            f"{name} must be a number from {low:g} to {high:g}, got {described(number)}"
        )
    return float(number)


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
    parameters = HINTS[name].parameters + (("data",) if has_data else ())
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


def samples(position: SearchedPosition, data: Any, games: int, positions: int) -> Iterator[Sample]:
    """Yield the position itself, and some positions of random games; none is over."""
    setup = position.setup
    last = () if data is None else (data,)
    if position.state[TURN] != OVER:
        yield Sample(setup, position.state, "the position given", last)
    rng = random_state(0)
    played = 0
    for game in range(games):
        if game >= GAMES and played > PLAIN_PLIES:
            break
        state = np.zeros(rules.info(setup).state_size, np.int32)
        rules.start(setup, state)
        plies = random_length(setup, state, rng)
        played += plies
        step = max(1, plies // positions)
        for ply in range(plies):
            if (ply - game) % step == 0 or ply == plies - 1:
                name = f"a random position after {ply} moves"
                yield Sample(setup, state.copy(), name, last)
            rules.play(setup, state, rules.sample_move(setup, state, rng))
            if state[TURN] == OVER:
                break


def check_provable(setup: Setup) -> None:
    """Raise InvalidInput unless a game is for two seats and has no chance.

    The check plays random games and looks for chance nodes.
    """
    if rules.info(setup).seats != 2:
        raise InvalidInput(f"proofs are for two seats, and this game has {rules.info(setup).seats}")
    rng = random_state(0)
    for _ in range(GAMES):
        state = np.zeros(rules.info(setup).state_size, np.int32)
        rules.start(setup, state)
        while state[TURN] != OVER:
            if state[TURN] == CHANCE:
                raise InvalidInput("proofs are for games without chance, and this game has some")
            rules.play(setup, state, rules.sample_move(setup, state, rng))


def random_length(setup: Setup, start: State, rng: rules.Rng) -> int:
    """Return the number of moves of a random game."""
    state, plies = start.copy(), 0
    while state[TURN] != OVER:
        rules.play(setup, state, rules.sample_move(setup, state, rng))
        plies += 1
    return plies


def call(name: str, kernel: Kernel, sample: Sample, *args: Any, may_change: bool = False) -> Any:
    """Call an author's function on a copy of a state; return what it returns.

    Raises
    ------
    InvalidInput
        If it cannot be compiled, raises, or changes the state though it may not.
    """
    state = Guarded(sample.state.size, np.int32(0))
    state.inside[:] = sample.state
    try:
        answer = kernel(sample.setup, state.inside, *args, *sample.data)
    except CannotCompile as error:
        raise InvalidInput(cannot_be_compiled(name, error)) from None
    except Exception as error:
        what = f"{type(error).__name__}{f': {error}' if str(error) else ''}"
        raise InvalidInput(f"{name} raises {what}, on {sample.name}") from error
    if not state.is_intact:
        raise InvalidInput(f"{name} writes beyond the state, on {sample.name}")
    if not may_change and not np.array_equal(state.inside, sample.state):
        raise InvalidInput(f"{name} changes the state, on {sample.name}; it may only read it")
    return answer


def check_evaluation(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if an evaluation does not write a plain number for each seat."""
    seats = rules.info(sample.setup).seats
    out = Guarded(seats, np.float64(np.nan))
    call(name, kernel, sample, out.inside)
    check_room(name, sample, "out", out)
    check_values(name, sample, out.inside)


def check_random_game(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if a playout does not write a plain number for each seat."""
    out = Guarded(rules.info(sample.setup).seats, np.float64(np.nan))
    call(name, kernel, sample, random_state(1), out.inside, may_change=True)
    check_room(name, sample, "out", out)
    check_values(name, sample, out.inside)


def check_values(name: str, sample: Sample, values: Scores) -> None:
    """Raise InvalidInput if values of seats are not numbers, or larger than any score."""
    for seat, value in enumerate(values.tolist()):
        if np.isnan(value):
            raise InvalidInput(
                f"{name} writes no number to out[{seat}], on {sample.name}; it must write one for "
                "each seat (nan is no number)"
            )
        if abs(value) >= LARGE / 4:
            raise InvalidInput(
                f"{name} writes {value:g} to out[{seat}], on {sample.name}; values are estimates "
                f"of scores, less than {LARGE / 4:g}"
            )


def check_priors(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if the numbers written for moves are not probabilities."""
    if sample.state[TURN] < 0:
        return
    legal = np.empty(rules.info(sample.setup).move_capacity, np.int32)
    legal = legal[: rules.legal_moves(sample.setup, sample.state, legal)]
    moves, out = Guarded(legal.size, np.int32(-1)), Guarded(legal.size, np.float64(np.nan))
    moves.inside[:] = legal
    call(name, kernel, sample, moves.inside, out.inside)
    check_room(name, sample, "moves", moves)
    check_room(name, sample, "out", out)
    if not np.array_equal(moves.inside, legal):
        raise InvalidInput(f"{name} changes moves, on {sample.name}; it may only read them")
    total = out.inside.sum()
    if not (out.inside >= 0.0).all() or abs(total - 1.0) > PRECISION:
        raise InvalidInput(
            f"{name} writes {out.inside.min():g} to {out.inside.max():g} with the sum {total:g}, "
            f"on {sample.name}; it must write a probability for each move, with the sum 1"
        )


def check_candidates(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if a listed move is illegal, or listed twice."""
    if sample.state[TURN] < 0:
        return
    room = rules.info(sample.setup).move_capacity
    legal = np.empty(room, np.int32)
    count = rules.legal_moves(sample.setup, sample.state, legal)
    out = Guarded(room, np.int32(-1))
    answer = call(name, kernel, sample, out.inside)
    check_room(name, sample, "out", out)
    if not is_whole(answer) or not 1 <= answer <= count:
        raise InvalidInput(
            f"{name} returns {described(answer)}, on {sample.name}; it must return how many moves "
            f"it has written, 1 to {count} here"
        )
    listed = out.inside[:answer].tolist()
    if wrong := sorted(set(listed) - set(legal[:count].tolist())):
        raise InvalidInput(
            f"{name} lists the move {wrong[0]}, which is not legal, on {sample.name}"
        )
    if len(set(listed)) < len(listed):
        raise InvalidInput(f"{name} lists a move twice, on {sample.name}")


def check_proven_scores(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if proven scores are not numbers."""
    if sample.state[TURN] < 0:
        return
    out = Guarded(rules.info(sample.setup).seats, np.float64(np.nan))
    is_proven = call(name, kernel, sample, out.inside)
    check_room(name, sample, "out", out)
    check_truth(name, sample, is_proven)
    if is_proven and not np.isfinite(out.inside).all():
        raise InvalidInput(f"{name} returns True but writes no scores to out, on {sample.name}")


def check_score_bounds(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if score bounds are not numbers in order."""
    if sample.state[TURN] < 0:
        return
    seats = rules.info(sample.setup).seats
    low, high = Guarded(seats, np.float64(np.nan)), Guarded(seats, np.float64(np.nan))
    is_known = call(name, kernel, sample, low.inside, high.inside)
    check_room(name, sample, "low", low)
    check_room(name, sample, "high", high)
    check_truth(name, sample, is_known)
    if is_known and not (low.inside <= high.inside).all():
        raise InvalidInput(f"{name} writes no lower and upper bounds, on {sample.name}")


def check_proof_numbers(name: str, kernel: Kernel, sample: Sample) -> None:
    """Raise InvalidInput if an author's first proof numbers are not valid."""
    if sample.state[TURN] < 0:
        return
    out = Guarded(rules.info(sample.setup).seats, np.float64(np.nan))
    call(name, kernel, sample, out.inside)
    check_room(name, sample, "out", out)
    for seat, number in enumerate(out.inside.tolist()):
        if not 1.0 <= number <= MOST:
            raise InvalidInput(
                f"{name} writes {number:g} to out[{seat}], on {sample.name}; it must write a "
                f"number from 1 to {MOST} for each seat"
            )


def check_room(name: str, sample: Sample, array: str, room: Guarded[Any]) -> None:
    """Raise InvalidInput if a function wrote beyond an array."""
    if not room.is_intact:
        raise InvalidInput(
            f"{name} writes beyond {array}, on {sample.name}; {array} has {room.inside.size} "
            f"numbers, {array}[0] to {array}[{room.inside.size - 1}]"
        )


def check_truth(name: str, sample: Sample, answer: Any) -> None:
    """Raise InvalidInput unless a function has returned True or False."""
    if not isinstance(answer, bool | np.bool_):  # of NumPy where nothing is compiled
        raise InvalidInput(
            f"{name} returns {described(answer)}, on {sample.name}; it must return True or False"
        )


CHECKS: Mapping[str, Callable[[str, Kernel, Sample], None]] = {
    "evaluate": check_evaluation,
    "candidates": check_candidates,
    "proven_scores": check_proven_scores,
    "score_bounds_at": check_score_bounds,
    "playout": check_random_game,
    "leaf_value": check_random_game,
    "priors": check_priors,
    "proof_numbers": check_proof_numbers,
}
"""The test of each function, by the hint that it replaces."""
