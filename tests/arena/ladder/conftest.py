import pytest

from ludograph.arena.ladder import roster, running


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Files count as they are, and the folder is looked at before every game."""
    monkeypatch.setattr(roster, "SETTLE", 0.0)
    monkeypatch.setattr(running, "LOOK_SECONDS", 0.0)
