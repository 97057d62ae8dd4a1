"""What games say to people is kept word by word in ``wording.txt``, by the tests that hear it."""

from pathlib import Path

import pytest


@pytest.fixture
def wording(request: pytest.FixtureRequest) -> list[str]:
    """Return the lines of ``wording.txt`` under the name of the test."""
    kept = Path(__file__).with_name("wording.txt").read_text(encoding="utf-8")
    _, lines = kept.split(f"[{request.node.name}]\n")
    return lines.partition("\n\n")[0].splitlines()
