"""The C players of the tests compile without a warning, with and without listing libgsl."""

import shutil

import pytest

from tests.hosting.c import build as flood
from tests.hosting.c.carcassonne import build as carcassonne
from tests.hosting.c.hex import build as hex_
from tests.hosting.c.penguins import build as penguins

WITH_GSL = [(of.build, name) for of in (flood, hex_) for name in of.PLAYERS]
WITHOUT_GSL = [(of.build, name) for of in (penguins, carcassonne) for name in of.PLAYERS]


@pytest.fixture(autouse=True)
def _compiler():
    if shutil.which("gcc") is None or shutil.which("gsl-config") is None:
        pytest.fail("the tests need a C compiler and libgsl: apt-get install gcc libgsl-dev")


@pytest.mark.parametrize("link_gsl", [True, False])
@pytest.mark.parametrize(("build", "name"), WITH_GSL)
def test_compiles_without_a_warning(build, name, link_gsl, tmp_path):
    library = build(name, tmp_path, link_gsl=link_gsl, flags=["-Wextra", "-Werror"])
    assert library.is_file()
    assert (b"libgsl.so" in library.read_bytes()) == link_gsl


@pytest.mark.parametrize(("build", "name"), WITHOUT_GSL)
def test_compiles_without_a_warning_and_without_libgsl(build, name, tmp_path):
    library = build(name, tmp_path, flags=["-Wextra", "-Wpedantic", "-Wshadow", "-Werror"])
    assert library.is_file()
    assert b"libgsl.so" not in library.read_bytes()


def test_a_fault_is_written_into_a_copy(tmp_path):
    library = flood.build("misbehave", tmp_path, fault="hang", fault_at=2)
    assert library == tmp_path / "hang-2" / "misbehave.so"
    assert b"switch fault=hang\0" in library.read_bytes()
    assert b"switch fault=none\0" in (tmp_path / "misbehave.so").read_bytes()
