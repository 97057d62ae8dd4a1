"""What the compiler refuses is one sentence: file, line, function, and why."""

import pickle
import re
from typing import NamedTuple

import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import compiled
from ludograph.rules._numba import insides
from ludograph.rules.compile_errors import CannotCompile, cannot_compile
from tests.written import written

TABLE = {1: 2.0}


class Heaps(NamedTuple):
    """A Setup for functions that cannot be compiled."""

    heaps: np.ndarray
    most: int


SETUP = Heaps(np.arange(4, dtype=np.int32), 3)


def plain(value):
    return value


CHANGED = np.zeros(3, np.int32)


def kernel_of(name, body, **more):
    """Return the kernel of a body that gets a Setup."""
    return compiled(written(name, "setup", body, {**globals(), "rules": rules, **more}))


misspells = kernel_of("misspells", "return setup.heapes[0]")
unknown_name = kernel_of("unknown_name", "return setup.most + zero")
unknown_function = kernel_of("unknown_function", "return np.zeroes(setup.most)")
keeps_nothing = kernel_of("keeps_nothing", "setup.heaps[0] = None")

MISTAKES = [
    (misspells, 1, "Heaps has no heapes; did you mean heaps\\?"),
    ("return plain(setup.most)", 1, "mark the function plain with @ludograph.rules.compiled"),
    ("return TABLE[setup.most]", 0, "it uses the global 'TABLE' of type dict, whose changes .*"),
    (unknown_name, 1, "name 'zero' is not defined"),
    (unknown_function, 1, "numpy has no zeroes; did you mean zeros\\?"),
    (
        *("return 1 if setup.most > 2 else 'none'", 1),
        "what it returns is a whole number in one place and a text in another",
    ),
    (
        *("return setup.heaps[setup.most / 2]", 1),
        "an index must be a whole number, not a float .*",
    ),
    (keeps_nothing, 1, "None cannot be stored in an array"),
    ("CHANGED[0] = setup.most", 1, "it writes into an array that is a global or .*"),
    ("return f'{setup.most}'", 1, "it makes an array, a list, a text or the like .*"),
    (
        *("import math\n\nreturn math.sqrt(setup.most)", 1),
        "import at the top of the file, not in a function",
    ),
    (
        *("return rules.GameInfo(setup.most)", 0),
        "GameInfo is made of wrong fields: missing a required .*",
    ),
    ("return rules.scores(setup)", 1, "scores has no rule for Heaps"),
]


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path))


@pytest.mark.parametrize(("wrong", "below", "reason"), MISTAKES)
def test_a_mistake_is_told_in_a_sentence(wrong, below, reason) -> None:
    kernel = kernel_of("wrong", wrong) if isinstance(wrong, str) else wrong
    with pytest.raises(CannotCompile) as caught:
        kernel(SETUP)
    code = kernel.python.__code__
    line = code.co_firstlineno + below
    place = re.escape(f"{code.co_filename}, line {line}: {code.co_name}")
    assert re.fullmatch(f"{place} cannot be compiled: {reason}", str(caught.value))
    assert caught.value.line == line
    assert insides.are_usable()  # other kernels are compiled as before


@pytest.mark.parametrize(
    ("heaps", "kind"),
    [
        ([3, 2], "list"),
        (None, "NoneType"),
        ("3,2", "str"),
        ({0: 3}, "dict"),
        (np.array([3, None]), "array of type object"),
        ((1, (2, [3])), "tuple"),
    ],
)
def test_a_setup_that_machine_code_cannot_have_is_refused_by_its_field(heaps, kind) -> None:
    with pytest.raises(CannotCompile) as caught:
        misspells(Heaps(heaps, 3))
    assert re.search(rf"\bheaps of Heaps\b.* {kind};", caught.value.reason)
    assert insides.are_usable()


@compiled
def first_of(setup):
    return setup.heaps[0].size


def test_a_field_of_records_is_fit() -> None:
    records = np.zeros(2, [("size", np.int64)]).view(np.recarray)
    assert first_of(Heaps(records, 3)) == 0


@pytest.mark.parametrize("heaps", [[3, 2], SETUP.heaps])
def test_an_interruption_is_no_mistake_of_a_setup(heaps, monkeypatch) -> None:
    def interrupted(kind):
        raise KeyboardInterrupt

    monkeypatch.setattr(first_of, "entry", interrupted)
    monkeypatch.setattr(first_of, "_entries", {})
    with pytest.raises(KeyboardInterrupt):
        first_of(Heaps(heaps, 3))


@pytest.mark.parametrize("inner", [misspells, unknown_name, unknown_function])
def test_the_function_is_named_in_which_the_mistake_is(inner) -> None:
    with pytest.raises(CannotCompile) as caught:
        kernel_of("outer", "return inner(setup)", inner=inner)(SETUP)
    code = inner.python.__code__
    place = f"{code.co_filename}, line {code.co_firstlineno + 1}: {code.co_name}"
    assert str(caught.value).startswith(f"{place} cannot be ")


def test_it_survives_the_way_from_another_process() -> None:
    with pytest.raises(CannotCompile) as caught:
        keeps_nothing(SETUP)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.line, copy.reason) == (
        str(caught.value),
        caught.value.line,
        caught.value.reason,
    )


def test_it_has_no_escapes_where_a_program_has_imported_numba_first() -> None:
    said = "scores has no rule for Heaps"
    assert cannot_compile(plain, RuntimeError(f"\x1b[1m\x1b[1m{said}\x1b[0m")).reason == said
