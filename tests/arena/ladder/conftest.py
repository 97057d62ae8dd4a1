import pytest

from ludograph.arena.ladder import enrolment, running


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Files count as they are, and the folder is looked at before every game."""
    monkeypatch.setattr(enrolment, "SETTLE", 0.0)
    monkeypatch.setattr(running, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(running, "PAUSE_SECONDS", 0.0)
