"""Fixtures for the commands."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return an empty folder, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
