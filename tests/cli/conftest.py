"""Fixtures for the commands."""

import sys

import pytest

from ludograph.games import registry


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def registered(monkeypatch):
    """Return the games of packages, which the test may add to."""
    found = dict(registry._installed())
    monkeypatch.setattr(registry, "_installed", lambda: found)
    monkeypatch.setattr(sys, "path", [*sys.path])
    registry.declaration.cache_clear()
    yield found
    registry.declaration.cache_clear()
