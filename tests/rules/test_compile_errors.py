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

TABLE = {1: 2.0}


class Heaps(NamedTuple):
    """A Setup for functions that cannot be compiled."""

    heaps: np.ndarray
    most: int


SETUP = Heaps(np.arange(4, dtype=np.int32), 3)


def plain(value):
    return value


@compiled
def misspells(setup):
    return setup.heapes[0]


@compiled
def calls_misspells(setup):
    return misspells(setup)


@compiled
def calls_plain(setup):
    return plain(setup.most)


@compiled
def uses_a_table(setup):
    return TABLE[setup.most]


@compiled
def uses_an_unknown_name(setup):
    return setup.most + zero  # type: ignore[name-defined]  # noqa: F821


@compiled
def calls_one_with_an_unknown_name(setup):
    return uses_an_unknown_name(setup)


@compiled
def uses_an_unknown_function(setup):
    return np.zeroes(setup.most)


@compiled
def calls_an_unknown_function(setup):
    return uses_an_unknown_function(setup)


@compiled
def is_of_two_kinds(setup):
    return 1 if setup.most > 2 else "none"


@compiled
def divides_an_index(setup):
    return setup.heaps[setup.most / 2]


@compiled
def keeps_nothing(setup):
    setup.heaps[0] = None


@compiled
def makes_a_text(setup):
    return f"{setup.most}"


@compiled
def imports(setup):
    import math

    return math.sqrt(setup.most)


@compiled
def lacks_a_field(setup):
    return rules.GameInfo(setup.most)  # type: ignore[call-arg]


@compiled
def forgets_an_argument(setup):
    return rules.scores(setup)  # type: ignore[call-arg]


CHANGED = np.zeros(3, np.int32)


@compiled
def changes_a_global(setup):
    CHANGED[0] = setup.most


MISTAKES = [
    (misspells, 2, "misspells", "Heaps has no heapes; did you mean heaps\\?"),
    (calls_plain, 2, "calls_plain", "mark the function plain with @ludograph.rules.compiled"),
    (uses_a_table, 0, "uses_a_table", "it uses the global 'TABLE' of type dict, whose changes .*"),
    (uses_an_unknown_name, 2, "uses_an_unknown_name", "name 'zero' is not defined"),
    (
        uses_an_unknown_function,
        2,
        "uses_an_unknown_function",
        "numpy has no zeroes; did you mean zeros\\?",
    ),
    (
        is_of_two_kinds,
        2,
        "is_of_two_kinds",
        "what it returns is a whole number in one place and a text in another",
    ),
    (divides_an_index, 2, "divides_an_index", "an index must be a whole number, not a float .*"),
    (keeps_nothing, 2, "keeps_nothing", "None cannot be stored in an array"),
    (changes_a_global, 2, "changes_a_global", "it writes into an array that is a global or .*"),
    (makes_a_text, 2, "makes_a_text", "it makes an array, a list, a text or the like .*"),
    (imports, 2, "imports", "import at the top of the file, not in a function"),
    (lacks_a_field, 0, "lacks_a_field", "GameInfo is made of wrong fields: missing a required .*"),
    (forgets_an_argument, 2, "forgets_an_argument", "scores has no rule for Heaps"),
]


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path))


@pytest.mark.parametrize(("kernel", "below", "name", "reason"), MISTAKES)
def test_a_mistake_is_told_in_a_sentence(kernel, below, name, reason) -> None:
    with pytest.raises(CannotCompile) as caught:
        kernel(SETUP)
    line = kernel.python.__code__.co_firstlineno + below
    place = re.escape(f"{__file__}, line {line}: {name}")
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


@pytest.mark.parametrize(
    ("kernel", "inner"),
    [
        (calls_misspells, misspells),
        (calls_one_with_an_unknown_name, uses_an_unknown_name),
        (calls_an_unknown_function, uses_an_unknown_function),
    ],
)
def test_the_function_is_named_in_which_the_mistake_is(kernel, inner) -> None:
    with pytest.raises(CannotCompile) as caught:
        kernel(SETUP)
    line = inner.python.__code__.co_firstlineno + 2
    assert str(caught.value).startswith(f"{__file__}, line {line}: {inner.__name__} cannot be ")


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
