"""Machine code on disk that is damaged, missing or in the way never blocks a run.

In processes of their own where it is about them, else in this one: a kernel is loaded anew.
"""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from numba.core.errors import NumbaError

from ludograph.rules import cache, compiled
from ludograph.rules._numba import insides, kernel_cache
from ludograph.rules.announcer import announcer


@compiled
def thrice(number):
    return 3 * number


@pytest.mark.slow
def test_kernels_of_a_module_that_is_not_imported_are_made_anew(tmp_path) -> None:
    program = f"exec({UNIMPORTED!r}, {{'__name__': 'nowhere'}})"
    for _ in range(2):
        printed, said = run(tmp_path, program=program)
        assert printed == "12\n"
        assert "slow way" not in said


UNIMPORTED = """
from ludograph import rules

@rules.compiled
def twice(number):
    return 2 * number

@rules.compiled
def four_times(number):
    return twice(twice(number))

print(four_times(3))
"""


PROGRAM = """
import numpy as np
from ludograph import rules
rng = rules.random_state(1)
print(rules.random_below(rng, 1000), int(rng[0]) % 1000)
"""


def run(folder, program=None, **more):
    """Run a program (by default PROGRAM, of two kernels); return what it prints, and says."""
    environment = {**os.environ, "LUDOGRAPH_CACHE": str(folder), **more}
    done = subprocess.run(
        [sys.executable, "-c", program or PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder of kernels, and what the program prints."""
    folder = tmp_path_factory.mktemp("kernels")
    printed, said = run(folder)
    assert " once\n" in said
    return folder, printed


def files(folder):
    found = sorted(Path(folder).glob("*.kernel"))
    assert found
    return found


@pytest.fixture
def again(monkeypatch):
    """Return a function that has the kernel made or loaded, and tells how often it was loaded."""

    def call(folder):
        monkeypatch.setenv(cache.VARIABLE, str(folder))
        thrice._entries.clear()
        assert thrice(7) == 21
        return sum(thrice.entry(int).stats.cache_hits.values())

    yield call
    thrice._entries.clear()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the kernel, found again."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, str(folder))
        for hits in (0, 1):
            thrice._entries.clear()
            assert thrice(7) == 21
            assert sum(thrice.entry(int).stats.cache_hits.values()) == hits
    (path,) = files(folder)
    return path


@pytest.mark.slow
def test_kernels_are_found_again(filled) -> None:
    folder, printed = filled
    assert run(folder) == (printed, "")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: content[: len(content) // 2], id="truncated"),
        pytest.param(lambda content: bytes(len(content)), id="zero bytes"),
        pytest.param(
            lambda content: content[:500] + bytes([content[500] ^ 1]) + content[501:],
            id="a flipped bit",
        ),
    ],
)
def test_damaged_files_are_made_anew(made, again, tmp_path, capsys, damage) -> None:
    path = tmp_path / made.name
    path.write_bytes(damage(made.read_bytes()))
    assert again(tmp_path) == 0
    said = f"ludograph: {path} is damaged: it is removed and made again\n"
    assert said in capsys.readouterr().err
    assert files(tmp_path) == [path]
    assert again(tmp_path) == 1
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_damaged_files_of_a_program_are_made_anew(filled, tmp_path) -> None:
    folder, printed = filled
    for path in files(folder):
        content = path.read_bytes()
        (tmp_path / path.name).write_bytes(content[: len(content) // 2])
    printed_again, said = run(tmp_path)
    assert printed_again == printed
    assert f"ludograph: {tmp_path}" in said
    assert "damaged" in said
    assert run(tmp_path) == (printed, "")


@pytest.fixture
def fast_again(monkeypatch):
    """Let kernels be compiled in the fast way afterwards."""
    monkeypatch.setattr(insides._Way, "is_stock", False)


@pytest.mark.parametrize("error", [NumbaError, OSError, pickle.UnpicklingError])
def test_a_sound_file_of_which_numba_makes_no_kernel(
    made, again, tmp_path, capsys, monkeypatch, fast_again, error
) -> None:
    """Fault row 28. Numba is another one: nothing is thrown away, and made anew for ever."""
    path = tmp_path / made.name
    path.write_bytes(made.read_bytes())
    for _ in range(2):  # in the next process the same
        monkeypatch.setattr(insides._Way, "is_stock", False)
        monkeypatch.setattr(announcer, "_said", set())
        monkeypatch.setattr(kernel_cache, "rebuilt", mock.Mock(side_effect=error("another")))
        assert again(tmp_path) == 0
        assert not insides.are_usable()
        said = capsys.readouterr().err
        assert "damaged" not in said
        assert f" {error.__name__}: " in said
        assert path.read_bytes() == made.read_bytes()


def test_a_sound_file_of_something_else(
    made, again, tmp_path, capsys, monkeypatch, fast_again
) -> None:
    monkeypatch.setattr(announcer, "_said", set())
    cache.write(tmp_path / made.name, b"Pno pickle at all")
    assert again(tmp_path) == 0
    assert not insides.are_usable()
    assert "damaged" not in capsys.readouterr().err


@pytest.mark.slow
def test_where_nothing_can_be_kept(filled, tmp_path) -> None:
    _, printed = filled
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    again, said = run(in_the_way)
    assert again == printed
    assert " process\n" in said
    assert sum(str(in_the_way) in line for line in said.splitlines()) == 1
    assert in_the_way.read_text() == "no folder"


@pytest.mark.slow
def test_what_nobody_uses_is_pruned(filled, tmp_path, monkeypatch) -> None:
    folder, _ = filled
    for path in files(folder):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    old, *recent = files(tmp_path)
    os.utime(old, (time.time() - 100 * 86400,) * 2)
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path))
    assert cache.prune(90) == 1
    assert files(tmp_path) == recent


def test_the_folder_is_the_users(monkeypatch) -> None:
    monkeypatch.delenv("LUDOGRAPH_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.folder() == Path("/somewhere/ludograph/kernels")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == Path.home() / ".cache/ludograph/kernels"


@pytest.mark.slow
def test_classes_of_one_name_are_told_apart(tmp_path) -> None:
    """Two modules with a Setup of the same name and fields share no machine code."""
    for name, bound in (("one", 3), ("two", 4)):
        (tmp_path / f"{name}.py").write_text(SETUP.format(bound=bound))
    for names in (["one", "two"], ["two", "one"]):
        done = subprocess.run(
            [sys.executable, "-c", BOTH, *names],
            env={**os.environ, "LUDOGRAPH_CACHE": str(tmp_path / "kernels")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        assert done.stdout.split() == [{"one": "3.0", "two": "4.0"}[name] for name in names]


SETUP = """
from typing import NamedTuple
import numpy as np
from ludograph import rules
from ludograph.rules import compiled, implements

class Same(NamedTuple):
    numbers: np.ndarray

@implements(rules.info, Same)
def info(setup):
    return rules.GameInfo(4, 2, 1, 1, 0.0, 1.0)

@implements(rules.scores, Same)
def scores(setup, state, out):
    out[0] = {bound}

SAME = Same(np.zeros(3))
"""

BOTH = """
import importlib, sys
import numpy as np
from ludograph import rules
for name in sys.argv[1:]:
    setup = importlib.import_module(name).SAME
    out = np.zeros(1)
    rules.scores(setup, np.zeros(4, np.int32), out)
    print(out[0])
"""


class Inner(NamedTuple):
    size: int


class Outer(NamedTuple):
    inner: Inner
    width: int


def test_the_rules_of_a_setup_inside_another_count_too() -> None:
    import numba

    arguments = [numba.typeof(Outer(Inner(1), 2)), numba.int64]
    found = [kind for argument in arguments for kind in kernel_cache.named_tuples(argument)]
    assert found == [Outer, Inner]


def test_a_kernel_that_another_process_removes_has_no_size(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    (tmp_path / f"kept{cache.SUFFIX}").write_bytes(b"123")
    (tmp_path / f"gone{cache.SUFFIX}").symlink_to("nowhere")  # listed, and then not there
    assert cache.sizes() == [3]
