"""Spoiled inputs are refused in one sentence or taken: no traceback, no hang, no crash."""

import os

import pytest

from ludograph.errors import InvalidInput
from tests.amounts import few
from tests.fuzz.doors import Door, doors
from tests.fuzz.running import Findings, run, run_apart, spoiled


@pytest.fixture(scope="module")
def all_doors(tmp_path_factory):
    return doors(tmp_path_factory.mktemp("doors"))


@pytest.mark.slow
def test_nothing_but_refusals(all_doors):
    findings = Findings(seed=2)
    run(all_doors, range(few(500, 8000)), findings)
    assert findings.found == {}
    assert findings.refused > 0


@pytest.mark.slow
def test_an_input_comes_again_by_its_number(all_doors):
    assert spoiled(all_doors, 77, 5)[1] == spoiled(all_doors, 77, 5)[1]


def raising(given):
    raise [ValueError("no"), InvalidInput("yes"), RuntimeError("no")][given]


def test_what_is_no_refusal_is_found():
    door = Door("broken", lambda rng: rng.randrange(3), raising)
    findings = Findings()
    run([door], range(50), findings)
    assert sorted(what.split()[0] for what in findings.found) == ["RuntimeError", "ValueError"]
    assert findings.refused > 0


def aborting(given):
    if given == 3:
        os.abort()


def test_a_crash_is_found_and_the_rest_is_tried(tmp_path):
    findings = Findings()
    door = Door("broken", lambda rng: rng.randrange(5), aborting)
    numbers = range(100)
    after = run_apart(findings, numbers, tmp_path, 60.0, lambda _: [door])
    ((what, (number, name, shown)),) = findings.found.items()
    assert what.endswith(" -6")
    assert (after, name, shown) == (number + 1, "broken", "3")
