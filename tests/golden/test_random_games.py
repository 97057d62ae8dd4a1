"""Random games end as they always have: whatever makes rules faster must leave them alone."""

import json

import pytest

from tests.golden.random_games import DATA, GAMES, endings

EXPECTED = json.loads(DATA.read_text())


def test_the_data_are_of_these_games() -> None:
    assert set(EXPECTED) == set(GAMES)


@pytest.mark.every_case
@pytest.mark.parametrize("name", GAMES)
def test_games_end_as_they_always_have(name: str) -> None:
    assert endings(name) == EXPECTED[name]
