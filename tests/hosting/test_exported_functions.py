"""The functions of a shared library, read from its file."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ludograph.errors import InvalidInput
from ludograph.hosting.exported_functions import check_functions, exported

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
    found = exported(library)
    assert {"first", "second"} <= found
    assert found.isdisjoint({"elsewhere", "hidden", "number"})
    check_functions("p.so", library, ["second", "first"])
    with pytest.raises(InvalidInput, match=r"^p\.so has no function 'third'$"):
        check_functions("p.so", library, ["first", "third"])


def test_what_is_no_library_or_damaged_is_no_library(library) -> None:
    for data in (b"", b"int main;", library[:40], library[:-500], b"\x7fELF\x02\x01" * 99):
        assert exported(data) is None
    for place in range(24, 64):
        exported(library[:place] + b"\xff" + library[place + 1 :])  # no other error
    with pytest.raises(InvalidInput, match="is not a shared library"):
        check_functions("p.so", b"text", ["first"])


def test_a_library_of_the_system_is_read() -> None:
    """That of the C library's mathematics, which every numpy loads."""
    loaded = Path("/proc/self/maps").read_text().split()
    path = next(word for word in loaded if "/libm.so" in word or "/libm-" in word)
    assert "cos" in exported(Path(path).read_bytes())
