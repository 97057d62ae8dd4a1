"""Kernels that kernels call are kept as bitcode and optimized where they are linked in."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from ludograph.rules import compiled
from ludograph.rules._numba.linking import EntryLibrary, LinkedLibrary

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path))


@compiled
def squared(number):
    return number * number


@compiled
def sum_of_squares(numbers):
    total = 0
    for index in range(numbers.size):
        total += squared(numbers[index])
    return total


@compiled(allocates=True)
def of_copies(numbers):
    return sum_of_squares(np.append(numbers, numbers))


NUMBERS = np.array([1, 2, 3], np.int64)


def libraries(dispatcher):
    return [result.library for result in dispatcher.overloads.values()]


def test_only_what_python_calls_becomes_machine_code() -> None:
    assert sum_of_squares(NUMBERS) == 14
    entry, callee = libraries(sum_of_squares.entry(np.ndarray)), libraries(squared.callee)
    assert [type(library) for library in entry] == [EntryLibrary]
    assert [type(library) for library in callee] == [LinkedLibrary]
    assert callee[0].serialize_using_object_code()[1] == "bitcode"
    assert entry[0].serialize_using_object_code()[1] == "entry"
    code = body_of(entry[0].get_llvm_str(), "sum_of_squares")
    called = re.findall(r"\bcall\b.*?@(\S+?)\(", code)
    assert all(name.startswith("llvm.") for name in called)  # squared is inlined


def body_of(module: str, name: str) -> str:
    """Return the code of a function without its wrapper for Python."""
    parts = [part.partition("\n") for part in module.split("\ndefine ")[1:]]
    found = [body for head, _, body in parts if name in head and "cpython" not in head]
    return found[0].partition("\n}")[0]


PROBE = """
import numpy as np
from tests.rules._numba import test_linking
print(test_linking.{name}(np.array([1, 2, 3], np.int64)))
"""


def test_bitcode_is_found_again_by_other_processes(tmp_path) -> None:
    environment = {**os.environ, "LUDOGRAPH_CACHE": str(tmp_path / "kernels")}
    said = []
    for name in ("sum_of_squares", "of_copies", "of_copies"):
        done = subprocess.run(
            [sys.executable, "-c", PROBE.format(name=name)],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        said.append((done.stdout, "preparing" in done.stderr))
    assert said == [("14\n", True), ("28\n", True), ("28\n", False)]
    kept = sorted(path.name.partition("-")[0] for path in (tmp_path / "kernels").glob("*.kernel"))
    home = "tests.rules._numba.test_linking"
    # As an entry and as a callee; what that calls was compiled once for both.
    assert kept == [f"{home}.{name}" for name in ("of_copies", "squared", *2 * ["sum_of_squares"])]
