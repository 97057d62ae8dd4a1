"""A folder for players of an ordinary user."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def everybodys() -> Iterator[Path]:
    """Yield a folder that any user can enter and write to, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)
