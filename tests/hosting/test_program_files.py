"""The functions of a shared library, read from its file."""

import shutil
import subprocess
import tracemalloc
from pathlib import Path

import pytest

from ludograph.errors import InvalidInput
from ludograph.hosting.program_files import (
    DYNAMIC_SYMBOLS,
    HEADER,
    MAGIC,
    SECTION,
    SYMBOL,
    check_functions,
    defined,
)

SOURCE = """\
extern int elsewhere(int);
static int hidden(void) { return 1; }
int number;
int first(void) { return hidden() + number; }
int second(void) { return elsewhere(2); }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("library")
    (folder / "p.c").write_text(SOURCE)
    subprocess.run(["gcc", "-shared", "-fPIC", "p.c", "-o", "p.so"], cwd=folder, check=True)
    return (folder / "p.so").read_bytes()


def test_the_functions_that_a_library_defines_are_those_that_others_can_call(library) -> None:
    names = ["first", "second", "elsewhere", "hidden", "number", "firs", "irst"]
    assert defined(library, names) == {"first", "second"}
    check_functions("p.so", library, ["second", "first"])
    with pytest.raises(InvalidInput, match=r"^p\.so .*'third'$"):
        check_functions("p.so", library, ["first", "third"])


def test_what_is_no_library_or_damaged_is_no_library(library) -> None:
    for data in (b"", b"int main;", library[:40], library[:-500], b"\x7fELF\x02\x01" * 99):
        assert defined(data, ["first"]) is None
    for place in range(24, 64):
        defined(library[:place] + b"\xff" + library[place + 1 :], ["first"])  # no other error
    with pytest.raises(InvalidInput, match="library"):
        check_functions("p.so", b"text", ["first"])


def test_a_library_of_the_system_is_read() -> None:
    """That of the C library's mathematics, which every numpy loads."""
    loaded = Path("/proc/self/maps").read_text().split()
    path = next(word for word in loaded if "/libm.so" in word or "/libm-" in word)
    assert defined(Path(path).read_bytes(), ["cos"]) == {"cos"}


def test_names_that_overlap_take_no_memory() -> None:
    """Each of two thousand names is the rest of a text of 100,000 letters."""
    text, symbols = b"a" * 100_000 + b"\0", 2_000
    rows = b"".join(SYMBOL.pack(place, 0x12, 0, 1, 0, 0) for place in range(symbols))
    at = len(MAGIC) + 18 + HEADER.size
    first = at + 3 * SECTION.size
    sections = [
        (0,) * 10,
        (0, DYNAMIC_SYMBOLS, 0, 0, first + len(text), len(rows), 2, 0, 0, SYMBOL.size),
        (0, 3, 0, 0, first, len(text), 0, 0, 0, 0),
    ]
    head = MAGIC + bytes(18) + HEADER.pack(0, 0, at, 0, 64, 0, 0, SECTION.size, 3, 0)
    data = head + b"".join(SECTION.pack(*one) for one in sections) + text + rows
    assert defined(data, ["a", "a" * 98_001]) == {"a" * 98_001}
    tracemalloc.start()
    defined(data, ["first"])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 * len(data)
