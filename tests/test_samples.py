"""Records, stores and ladders that earlier versions wrote are opened, and go on.

``samples/before-0.1`` was written by a version from before stores had checksums and ladders a
secret (store of version 1), ``samples/0.1`` by 0.1.0 (store of version 3). In both are a tournament
of three players, a ladder that has played 8 games, and a record of each game. When a format
changes, add a folder that the last version before the change wrote.
"""

import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from ludograph import read_record
from ludograph.arena.ladder import LadderFolder, read_state
from ludograph.arena.ladder.roles import Role
from ludograph.games.registry import names
from ludograph.web.access_tokens import read_tokens
from tests.cli.run import invoke, succeed

SAMPLES = Path(__file__).parent / "samples"
VERSIONS = sorted(path.name for path in SAMPLES.iterdir())
RECORDS = sorted(SAMPLES.glob("*/records/*.jsonl"))
STORES = {"before-0.1": 1, "0.1": 3}


@pytest.fixture(params=VERSIONS)
def sample(request, tmp_path):
    """A copy of what a version wrote."""
    return Path(shutil.copytree(SAMPLES / request.param, tmp_path / request.param))


@pytest.mark.parametrize("version", VERSIONS)
def test_there_is_a_record_of_each_game(version) -> None:
    assert {path.stem for path in RECORDS if path.parent.parent.name == version} >= set(names())


@pytest.mark.parametrize("version", VERSIONS)
def test_the_samples_are_as_old_as_they_say(version) -> None:
    for store in ("tournament.db", "course/games.db"):
        with sqlite3.connect(
            f"file:{SAMPLES / version / store}?mode=ro&immutable=1", uri=True
        ) as of:
            assert of.execute("SELECT version FROM ludograph_store").fetchall() == [
                (STORES[version],)
            ]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_a_record_of_an_earlier_version_leads_to_its_end(path) -> None:
    record = read_record(path)
    last = json.loads(path.read_text().splitlines()[-1])
    position = record.position_at(record.plies)
    assert position.is_over
    assert record.end["sentence"] == last["sentence"]
    assert list(position.scores()) == last["scores"]


@pytest.mark.slow
def test_a_tournament_of_an_earlier_version_is_there_and_is_continued(sample, monkeypatch) -> None:
    monkeypatch.chdir(sample)
    assert "6 games" in succeed("results", "--store", "tournament.db").splitlines()[0]
    words = ("tournament", "flood", "-m", 4, "-c", 3, "--seed", 3, "--store", "tournament.db")
    players = ("random", "greedy", "./first.py")
    before = json.loads(succeed(*words, "--games", 2, "--json", *players))
    assert before["games"] == 6
    more = json.loads(succeed(*words, "--games", 4, "--json", *players))
    assert (more["tournament"], more["games"]) == (before["tournament"], 12)
    assert "12 games" in succeed("store", "check", "tournament.db")


@pytest.mark.slow
def test_a_ladder_of_an_earlier_version_is_there_and_goes_on(sample) -> None:
    course = sample / "course"
    before = read_state(LadderFolder(course))
    table = succeed("ladder", "table", course)
    assert "8 games" in table.splitlines()[0]
    assert re.search(r"crashes\.py  ff8b45ed .* 2 \(?2? ?crash", table)
    assert "no idea" in succeed("ladder", "why", course, "crashes")
    went_on = invoke("ladder", "run", course, "--games", 2, "-j", 1)
    assert went_on.exit_code == 0, went_on.output
    assert "has joined" not in went_on.stderr  # the players are the same versions
    after = read_state(LadderFolder(course))
    assert (after.number, after.entrants) == (before.number, before.entrants)
    assert "10 games" in succeed("ladder", "table", course).splitlines()[0]
    assert LadderFolder(course).author("first.py").startswith("token ")


def test_tokens_of_an_earlier_version_have_their_roles() -> None:
    roles = read_tokens(SAMPLES / "0.1" / "tokens.toml").roles
    assert list(roles.values()) == [Role.LOOK, Role.UPLOAD, Role.OPERATE]
