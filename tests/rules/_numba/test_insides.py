"""Without any of Numba's insides the same games are played, and one line says that it is slower."""

import os
import subprocess
import sys

import pytest

from ludograph.rules._numba.linking import REPLACED
from ludograph.rules.cache import folder

PLAY = """
import sys
import numpy as np
from ludograph import rules
from ludograph.rules._numba import insides
from tests.toys.dice import dice

def game():
    setup, rng = dice(), rules.random_state(7)
    state, scores = np.zeros(rules.info(setup).state_size, np.int32), np.zeros(2)
    rules.start(setup, state)
    rules.playout(setup, state, rng, scores)
    return state.tolist(), scores.tolist()

with rules.interpreted():
    expected = game()
{spoil}
print(game() == expected, game() == expected, insides.are_usable())
"""

LACKS = """
from ludograph.rules._numba import linking
owner = list(linking.REPLACED)[{number}]
linking.REPLACED[owner] = (*linking.REPLACED[owner], "not_there")
"""

CANNOT_IMPORT = """
import numba.np.arrayobj
del numba.np.arrayobj.getitem_arraynd_intp
"""

BREAK = """
from ludograph.rules._numba import {module}
def broken(*args, **kwargs):
    raise {error}("no such argument")
{module}.{name} = broken
"""


def played(cache, spoil: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", PLAY.format(spoil=spoil)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LUDOGRAPH_CACHE": str(cache)},
    )
    return done.stdout, done.stderr


def noticed(spoil: str, cache) -> str:
    """Play without something, and return what is said of it."""
    out, err = played(cache, spoil)
    assert out == "True True False\n"
    (notice,) = (line for line in err.splitlines() if line.startswith("ludograph: "))
    assert "in each process" in notice
    assert not list(cache.glob("*.kernel"))
    return notice


@pytest.mark.parametrize(
    "number",
    [pytest.param(k, marks=pytest.mark.slow if k else ()) for k in range(len(REPLACED))],
    ids=[owner.__name__ for owner in REPLACED],
)
def test_without_one_of_them_the_same_game_is_played(number, tmp_path) -> None:
    notice = noticed(LACKS.format(number=number), tmp_path)
    assert list(REPLACED)[number].__name__ in notice
    assert "no attribute 'not_there'" in notice


@pytest.mark.slow
def test_without_a_function_of_numbas_the_same_game_is_played(tmp_path) -> None:
    assert "cannot import name 'getitem_arraynd_intp'" in noticed(CANNOT_IMPORT, tmp_path)


@pytest.mark.parametrize(
    ("module", "name", "error"),
    [
        pytest.param(
            "linking", "LinkedLibrary._finalize_final_module", "TypeError", marks=pytest.mark.slow
        ),
        pytest.param(
            "linking",
            "EntryLibrary._optimize_final_module",
            "AttributeError",
            marks=pytest.mark.slow,
        ),
        pytest.param("kernel_cache", "KernelCache.path", "TypeError", marks=pytest.mark.slow),
        pytest.param("kernel_cache", "KernelCache.__init__", "TypeError", marks=pytest.mark.slow),
        pytest.param("kernel_cache", "uses_runtime", "ValueError", marks=pytest.mark.slow),
        pytest.param("references", "Writing.write", "TypeError", marks=pytest.mark.slow),
    ],
)
def test_where_one_of_them_fails_the_same_game_is_played(module, name, error, tmp_path) -> None:
    # What fails is a function of Numba's that our code in this folder calls, or is called by.
    out, err = played(tmp_path, BREAK.format(module=module, name=name, error=error))
    assert out == "True True False\n"
    notices = [line for line in err.splitlines() if line.startswith("ludograph: ")]
    assert len(notices) == 1
    assert f"{error}: no such argument" in notices[0]


CHANGED = """
from numba.core.compiler import CompileResult
reduce = CompileResult._reduce
CompileResult._reduce = lambda self: (*reduce(self), "a part more")
"""

REBUILT = """
import numba.core.codegen, numba.core.errors
from ludograph.rules._numba import linking
def broken(*args, **kwargs):
    raise {error}("no such argument")
linking.{name} = broken
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (CHANGED, "ValueError"),
        (REBUILT.format(error="TypeError", name="EntryLibrary.loaded"), "TypeError"),
        (REBUILT.format(error="RuntimeError", name="LinkedLibrary.loaded"), "RuntimeError"),
        (
            REBUILT.format(error="numba.core.errors.TypingError", name="LinkedLibrary.loaded"),
            "TypingError",
        ),
        (REBUILT.format(error="OSError", name="CompileResult"), "OSError"),
    ],
)
def test_where_kept_code_cannot_be_rebuilt_the_same_game_is_played(spoil, name, tmp_path) -> None:
    """Fault row 28. Nothing is taken for damage, thrown away and made anew in each process."""
    played(tmp_path, spoil if spoil is CHANGED else "")
    kept = {path: path.read_bytes() for path in tmp_path.glob("*.kernel")}
    assert kept
    if spoil is not CHANGED:  # the caller is made anew, the callees are found
        next(path for path in kept if "playout" in path.name).unlink()
        kept = {path: path.read_bytes() for path in tmp_path.glob("*.kernel")}
    for _ in range(2):
        out, err = played(tmp_path, spoil)
        assert out == "True True False\n"
        (notice,) = (line for line in err.splitlines() if "not as expected" in line)
        assert f" {name}: " in notice
        assert "damaged" not in err
        assert {path: path.read_bytes() for path in tmp_path.glob("*.kernel")} == kept


MISTAKE = """
from ludograph.rules import compiled

@compiled
def mistaken(number):
    return number.no_such_thing

try:
    mistaken(3)
except Exception as error:
    print(type(error).__name__, insides.are_usable())
"""


@pytest.mark.slow
def test_a_mistake_in_a_kernel_is_none_of_numbas() -> None:
    out, err = played(folder(), MISTAKE)
    assert out == "CannotCompile True\nTrue True True\n"
    assert "slow way" not in err
