"""Generic functions find a game's own rule, from Python and inside kernels."""

from typing import NamedTuple

import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import compiled, implements
from ludograph.rules.fingerprint import CannotFingerprint, fingerprint


class Doubling(NamedTuple):
    """A game that is no game: its rules only say who they are."""

    numbers: np.ndarray
    factor: int


class Uniform(NamedTuple):
    """All fields of one type: Numba has another class for such tuples."""

    numbers: np.ndarray
    more: np.ndarray


@implements(rules.ply_bound, Doubling)
def doubling_bound(setup):
    return helper(setup.numbers) * setup.factor


@implements(rules.ply_bound, Uniform)
def uniform_bound(setup):
    return setup.more.size + 100


@compiled
def helper(numbers):
    return numbers.size


@compiled
def through_kernel(setup):
    return rules.ply_bound(setup) + 1


DOUBLING = Doubling(np.zeros(5, np.int32), 2)
UNIFORM = Uniform(np.zeros(5, np.int32), np.zeros(3, np.int32))


@pytest.mark.parametrize(("setup", "bound"), [(DOUBLING, 10), (UNIFORM, 103)])
def test_dispatch_on_the_setup(setup, bound) -> None:
    assert rules.ply_bound(setup) == bound
    assert through_kernel(setup) == bound + 1
    with rules.interpreted():
        assert rules.ply_bound(setup) == bound
        assert through_kernel(setup) == bound + 1


def test_a_missing_rule_is_named() -> None:
    with pytest.raises(NotImplementedError, match="state_size has no rule for Doubling"):
        rules.state_size(DOUBLING)


def test_a_rule_is_given_once_with_the_right_parameters() -> None:
    with pytest.raises(TypeError, match="already"):
        implements(rules.ply_bound, Doubling)
    with pytest.raises(TypeError, match="must have the parameters of seat_count"):

        @implements(rules.seat_count, Doubling)
        def wrong(other):
            return 1

    with pytest.raises(TypeError, match="not a NamedTuple"):
        implements(rules.play, dict)
    with pytest.raises(TypeError, match="not a generic function"):
        implements(helper, Doubling)


UNKNOWN = {"a": 1}


def uses_unknown(x):
    return UNKNOWN["a"] + x


def test_what_cannot_be_digested_is_refused() -> None:
    with pytest.raises(CannotFingerprint, match="uses the global 'UNKNOWN' of type dict"):
        fingerprint(uses_unknown, ())

    def closure(x):
        return x + free

    free = 1
    with pytest.raises(CannotFingerprint, match="is a closure"):
        fingerprint(closure, ())


def test_the_digest_depends_on_the_setup_type() -> None:
    python = through_kernel.python
    digests = {fingerprint(python, types) for types in [(), (Doubling,), (Uniform,)]}
    assert len(digests) == 3
    assert fingerprint(python, (Doubling,)) == fingerprint(python, (Doubling,))


def test_compilation_is_announced_also_when_it_fails(capsys) -> None:
    @compiled
    def broken(x):
        return x.no_such_attribute

    with pytest.raises(Exception, match="no_such_attribute"):
        broken(1)
    said = capsys.readouterr().err
    assert said.startswith("compiling broken (only this once) ... ")
    assert said.endswith("failed\n")
