import pytest

from ludograph import boards, rules
from ludograph.games.flood import flood
from ludograph.rules.announcer import announcer


@pytest.fixture
def interpreted():
    """Run the kernels as plain Python: for games whose compilation would take longer."""
    with rules.interpreted():
        yield


@pytest.fixture(autouse=True)
def _quiet(monkeypatch):
    monkeypatch.setattr(announcer, "enabled", False)


@pytest.fixture
def small_flood():
    """Make small games of Flood: all of one Setup type, so compiled once."""

    def make(width, height, seed, *, colors=3, seats=2, **options):
        board = boards.square(width, height)
        return flood.position(board, colors=colors, seats=seats, seed=seed, **options)

    return make
