"""The Carcassonne players compile without a warning."""

import shutil

import pytest

from tests.players.c.carcassonne.build import PLAYERS, build


@pytest.fixture(autouse=True)
def _compiler():
    if shutil.which("gcc") is None:
        pytest.fail("the tests need a C compiler: apt-get install gcc")


@pytest.mark.parametrize("name", PLAYERS)
def test_compiles_without_a_warning(name, tmp_path):
    library = build(name, tmp_path, flags=["-Wextra", "-Wpedantic", "-Wshadow", "-Werror"])
    assert library.is_file()
    assert b"libgsl.so" not in library.read_bytes()
