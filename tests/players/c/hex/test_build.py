"""The Hex players compile without a warning, with and without listing libgsl."""

import shutil

import pytest

from tests.players.c.hex.build import PLAYERS, build


@pytest.fixture(autouse=True)
def _compiler():
    if shutil.which("gcc") is None or shutil.which("gsl-config") is None:
        pytest.fail("the tests need a C compiler and libgsl: apt-get install gcc libgsl-dev")


@pytest.mark.parametrize("link_gsl", [True, False])
@pytest.mark.parametrize("name", PLAYERS)
def test_compiles_without_a_warning(name, link_gsl, tmp_path):
    library = build(name, tmp_path, link_gsl=link_gsl, flags=["-Wextra", "-Werror"])
    assert library.is_file()
    assert (b"libgsl.so" in library.read_bytes()) == link_gsl


def test_a_fault_is_written_into_a_copy(tmp_path):
    library = build("misbehave", tmp_path, fault="hang-accept")
    assert library == tmp_path / "hang-accept" / "misbehave.so"
    assert b"switch fault=hang-accept\0" in library.read_bytes()
