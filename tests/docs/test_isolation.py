"""The page on isolation: each line of its table names tests that are there."""

import re
from pathlib import Path

from tests.hosting.sandbox.test_attacks import ATTACKS

ROOT = Path(__file__).parents[2]


def test_the_table_names_tests():
    page = (ROOT / "docs" / "guarantees.md").read_text()
    table = page.partition("### What is kept out")[2].partition("\n### ")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    proofs = [re.findall(r"`(\w+)`", row[5]) for row in rows]
    assert all(proofs)
    named = [name for proof in proofs for name in proof]
    assert named[: len(ATTACKS)] == list(ATTACKS)
    sources = [path.read_text() for path in (ROOT / "tests" / "hosting").rglob("test_*.py")]
    for name in named[len(ATTACKS) :]:
        assert any(f"def {name}(" in source for source in sources), name
