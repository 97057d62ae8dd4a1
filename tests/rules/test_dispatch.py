"""Generic functions find a game's own rule, from Python and inside kernels."""

from typing import NamedTuple

import numpy as np
import pytest

from ludograph import rules
from ludograph.errors import GameFault
from ludograph.rules import compiled, implements, register
from ludograph.rules.announcer import announcer
from ludograph.rules.compile_errors import CannotCompile
from ludograph.rules.fingerprint import CannotFingerprint, fingerprint
from tests.toys import nim
from tests.toys.nim import Nim


class Doubling(NamedTuple):
    """A game that is no game: its rules only say who they are."""

    numbers: np.ndarray
    factor: int


class Uniform(NamedTuple):
    """All fields of one type: Numba has another class for such tuples."""

    numbers: np.ndarray
    more: np.ndarray


@implements(rules.info, Doubling)
def doubling_info(setup):
    return rules.GameInfo(2, 2, 1, helper(setup.numbers) * setup.factor, 0.0, 1.0)


@implements(rules.info, Uniform)
def uniform_info(setup):
    return rules.GameInfo(2, 2, 1, setup.more.size + 100, 0.0, 1.0)


@compiled
def helper(numbers):
    return numbers.size


@compiled
def through_kernel(setup):
    return rules.info(setup).ply_bound + 1


DOUBLING = Doubling(np.zeros(5, np.int32), 2)
UNIFORM = Uniform(np.zeros(5, np.int32), np.zeros(3, np.int32))


@pytest.mark.parametrize(("setup", "bound"), [(DOUBLING, 10), (UNIFORM, 103)])
def test_dispatch_on_the_setup(setup, bound) -> None:
    assert rules.info(setup).ply_bound == bound
    assert through_kernel(setup) == bound + 1
    with rules.interpreted():
        assert rules.info(setup).ply_bound == bound
        assert through_kernel(setup) == bound + 1


class Counting(NamedTuple):
    """A Setup with all rules that have no default, made of those of Nim."""

    heaps: np.ndarray
    most: int


class Unregistered(NamedTuple):
    numbers: np.ndarray


class Doubled(NamedTuple):
    """Nim with other values."""

    nim: Nim
    factor: float


@implements(rules.evaluate, Doubled)
def doubled_evaluate(setup, state, out):
    rules.scores(setup, state, out)
    out[0] *= setup.factor


def mandatory() -> list[str]:
    return [
        "info",
        "start",
        "legal_moves",
        "play",
        "scores",
    ]


def test_no_default_is_taken_before_all_rules_are_said_to_be_there() -> None:
    setup = Unregistered(np.zeros(2, np.int32))
    with pytest.raises(NotImplementedError, match=r"register\(Unregistered\b"):
        rules.key(setup, np.zeros(2, np.int32))
    with pytest.raises(Exception, match=r"register\(Unregistered\b"):
        key_of(setup, np.zeros(2, np.int32))


@compiled
def key_of(setup, state):
    return rules.key(setup, state)


def test_registering_checks_that_nothing_is_forgotten() -> None:
    for name in mandatory()[:-1]:
        implements(getattr(rules, name), Counting)(getattr(nim, f"nim_{name}").python)
    with pytest.raises(TypeError, match=r"^Counting .*\bscores$"):
        register(Counting)
    implements(rules.scores, Counting)(nim.nim_scores.python)

    @implements(rules.key, Counting)
    def counting_key(setup, state):
        return np.uint64(7)

    with pytest.raises(TypeError, match=r"^counting_key .*\bregister\(\)"):
        register(Counting)
    with pytest.raises(TypeError, match=r"^nim_scores .*\bCounting$"):
        register(Counting, counting_key, nim.nim_scores)
    register(Counting, counting_key)
    with pytest.raises(TypeError, match=r"^Counting .*\balready$"):
        register(Counting, counting_key)
    with pytest.raises(TypeError, match=r"^Counting .*\bafter\b"):
        implements(rules.drop, Counting)


@pytest.mark.slow
def test_a_setup_may_hold_another_one_whose_rules_it_keeps() -> None:
    register(Doubled, doubled_evaluate, otherwise="nim")
    inner = nim.nim([1], 3)
    setup = Doubled(inner, 2.0)
    assert rules.info(setup).state_size == rules.info(inner).state_size
    states = np.zeros((2, rules.info(setup).state_size), np.int32)
    rules.start(setup, states[0])
    rules.start(inner, states[1])
    assert np.array_equal(*states)
    scores, values = np.zeros(2), np.zeros(2)
    rules.playout(setup, states[0], rules.random_state(1), scores)
    rules.evaluate(setup, states[0], values)
    assert sorted(scores) == [0.0, 1.0]
    assert values.tolist() == [2.0 * scores[0], scores[1]]


class Renamed(Nim):
    """Nim under another name: who takes the last one loses."""


class Bare(Nim):
    """Nim without its rules."""


class Wider(Nim):
    """Nim with what no derived tuple can have."""

    further: int


@pytest.mark.slow
def test_a_setup_may_derive_from_another_one_whose_rules_it_keeps() -> None:
    @implements(rules.scores, Renamed)
    def renamed_scores(setup, state, out):
        nim.nim_scores(setup, state, out)
        out[0], out[1] = out[1], out[0]

    register(Renamed, otherwise=Nim)
    inner = nim.nim([1], 3)
    setup = Renamed(*inner)
    states = np.zeros((2, rules.info(setup).state_size), np.int32)
    scores = np.zeros((2, 2))
    for each, state, out in zip((setup, inner), states, scores, strict=True):
        rules.start(each, state)
        rules.playout(each, state, rules.random_state(1), out)
    assert np.array_equal(*states)
    assert scores.tolist() == [scores[1].tolist()[::-1], scores[1].tolist()]
    assert scores[0, 0] != scores[0, 1]


def test_a_setup_that_derives_from_another_one_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match=r"^Bare .*\brules\b"):
        register(Bare)
    implements(rules.scores, Bare)(nim.nim_scores.python)
    with pytest.raises(TypeError, match=r"^Bare .*\binfo, legal_moves, play, start$"):
        register(Bare)
    with pytest.raises(TypeError, match=r"^Bare .*\bUniform$"):
        register(Bare, otherwise=Uniform)
    with pytest.raises(TypeError, match=r"^Bare .*\bimport\b"):
        register(type("Below", (Bare,), {}), otherwise=Bare)
    with pytest.raises(TypeError, match=r"^Wider .*\bNim\b.*\bfurther;"):
        register(Wider, otherwise=Nim)


def test_a_missing_rule_of_a_setup_that_is_not_registered_tells_how_to_register_it() -> None:
    with pytest.raises(GameFault, match=r"\bregister\(Doubling\)"):
        rules.scores(DOUBLING, np.zeros(2, np.int32), np.zeros(2))
    below = type("Below", (Nim,), {})
    with pytest.raises(GameFault, match=r"\bregister\(Below, otherwise=Nim\)"):
        rules.info(below(np.zeros(2, np.int32), 1))


def test_a_rule_is_given_once_with_the_right_parameters() -> None:
    with pytest.raises(TypeError, match="already"):
        implements(rules.info, Doubling)
    with pytest.raises(TypeError, match=r"^wrong\b.*\bscores\b"):

        @implements(rules.scores, Doubling)
        def wrong(other):
            return 1

    with pytest.raises(TypeError, match=r"^dict .*\bNamedTuple\b"):
        implements(rules.play, dict)
    with pytest.raises(TypeError, match="helper"):
        implements(helper, Doubling)


UNKNOWN = {"a": 1}


def uses_unknown(x):
    return UNKNOWN["a"] + x


def test_what_cannot_be_digested_is_refused() -> None:
    with pytest.raises(CannotFingerprint, match=r"'UNKNOWN' .*\bdict\b"):
        fingerprint(uses_unknown, ())

    def closure(x):
        return x + free

    free = 1
    with pytest.raises(CannotFingerprint, match="is a closure"):
        fingerprint(closure, ())


RECORD = np.dtype([("count", np.int32)])


def makes_records(n):
    return np.zeros(n, RECORD)


def test_the_digest_depends_on_the_fields_of_records(monkeypatch) -> None:
    before = fingerprint(makes_records, ())
    assert before == fingerprint(makes_records, ())
    monkeypatch.setitem(globals(), "RECORD", np.dtype([("total", np.int32)]))
    assert fingerprint(makes_records, ()) != before


def test_the_digest_depends_on_the_setup_type() -> None:
    python = through_kernel.python
    digests = {fingerprint(python, types) for types in [(), (Doubling,), (Uniform,)]}
    assert len(digests) == 3
    assert fingerprint(python, (Doubling,)) == fingerprint(python, (Doubling,))


def test_compilation_is_announced_also_when_it_fails(monkeypatch) -> None:
    shown = []
    monkeypatch.setattr(announcer, "line", shown.append)

    @compiled
    def broken(x):
        return x.no_such_attribute

    with pytest.raises(Exception, match="no_such_attribute"):
        broken(1)
    assert shown[0].endswith(", only this once ...")
    assert shown[-1] == ""


def test_a_rule_that_can_end_without_its_value_is_refused() -> None:
    class Forgotten(NamedTuple):
        heaps: int

    def forgets(setup, state, out):
        out[0] = 1

    def forgets_sometimes(setup, state, out):
        for move in range(setup.heaps):
            if state[move] > 0:
                return move
        return None

    def always_returns(setup, state, out):
        while True:
            if out[0] > 0:
                return 1

    for function, line in ((forgets, 1), (forgets_sometimes, 4)):
        with pytest.raises(CannotCompile) as caught:
            rules.implements(rules.legal_moves, Forgotten)(function)
        first = function.__code__.co_firstlineno
        assert caught.value.line == first + line
        assert "legal_moves" in caught.value.reason
    rules.implements(rules.legal_moves, Forgotten)(always_returns)
    rules.implements(rules.play, Forgotten)(lambda setup, state, move: None)


def test_a_rule_of_the_contract_shows_its_parameters() -> None:
    assert (
        repr(rules.weights)
        == "<rule ludograph.rules.contract.weights(setup, state, outcomes, out)>"
    )


def test_a_rule_that_yields_or_waits_is_refused() -> None:
    class Odd(NamedTuple):
        n: int

    def yields(setup, state, move):
        state[0] = move
        yield move

    async def waits(setup, state, move):
        state[0] = move

    for function, line, reason in ((yields, 2, "must not yield"), (waits, 0, "not async def")):
        with pytest.raises(
            CannotCompile, match=f"{function.__name__} cannot be .*{reason}"
        ) as told:
            implements(rules.play, Odd)(function)
        assert told.value.line == function.__code__.co_firstlineno + line
    assert Odd not in rules.play.kernels
