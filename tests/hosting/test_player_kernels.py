"""A Python file that brings kernels of its own has them compiled before its clock runs, once."""

import json
import os
import re
from pathlib import Path

import pytest

from ludograph.games.registry import game
from ludograph.hosting import player_kernels
from ludograph.hosting.player_kernels import PLAYER_BYTES, keep, prune, rehearse
from ludograph.hosting.sandbox.readable_paths import own_kernel_folder, sources
from ludograph.players.spec import parse_player
from tests.cli.run import run

WEIGHTED = """
from typing import NamedTuple

from ludograph.games.flood.setup import FloodSetup
from ludograph.rules import evaluate, implements, register, scores
from ludograph.search.alphabeta import AlphaBeta


class Weighted(NamedTuple):
    base: FloodSetup
    weight: float


@implements(evaluate, Weighted)
def weighted_evaluate(setup, state, out):
    scores(setup.base, state, out)
    for seat in range(out.size):
        out[seat] = setup.weight * out[seat]


register(Weighted, weighted_evaluate, otherwise="base")


class Own:
    def choose(self, position, time_left):
        search = AlphaBeta(Weighted(position.setup, 2.0))
        return search.search(position.state, time=0.05).move
"""

GAME = ("flood", "--board", "square:5", "--seed", "1", "-q")


def folder_of(path: str) -> Path:
    position = game("flood").position(5)
    position.legal_moves()
    return Path(own_kernel_folder(parse_player(path, position.game)))


@pytest.mark.slow
def test_a_file_with_its_own_rules_does_not_lose_on_time(file) -> None:
    path = file(WEIGHTED)
    command = (*GAME, path, "random", "--clock", "1s", "--json")
    first = run(*command)
    assert first.returncode == 0, first.stderr
    assert "preparing bot.py for flood" in first.stderr
    assert json.loads(first.stdout)["faults"] == []
    kernels = {kernel.name for kernel in folder_of(path).glob("*.kernel")}
    assert any(name.startswith("ludograph_player.weighted_evaluate-") for name in kernels)

    again = run(*command)
    assert json.loads(again.stdout)["faults"] == []
    assert "preparing" not in again.stderr  # nor is anything compiled
    assert {kernel.name for kernel in folder_of(path).glob("*.kernel")} == kernels


@pytest.mark.slow
def test_a_check_says_what_was_compiled(file) -> None:
    path = file(WEIGHTED.replace("2.0", "3.0"))
    checked = run("player", "check", path, "flood", "--games", "2", "--json")
    notes = json.loads(checked.stdout)["notes"]
    assert any(re.search(r" \d\d kernels, .* \S+ s\b", note) for note in notes)


@pytest.mark.slow
def test_a_file_that_hangs_holds_nobody_up_for_long(file) -> None:
    path = file("import ludograph\n\ndef choose(position):\n    while True:\n        pass\n")
    position = game("flood").position(5)
    found = rehearse(parse_player(path, position.game), position, 0)
    assert found is not None
    assert found.kernels == 0
    assert "time" in found.fault
    assert found.seconds < 60
    assert rehearse(parse_player(path, position.game), position, 0) == found  # not again


@pytest.mark.parametrize(
    "code",
    [
        "import os, ludograph\nos._exit(1)",
        "import ludograph\nraise SystemExit",
        "import ludograph\ndef choose(position):\n    return 'nonsense'",
        "import ludograph, os\ndef choose(position):\n    os.kill(os.getpid(), 9)",
    ],
)
def test_a_rehearsal_that_fails_decides_nothing(file, code) -> None:
    path = file(code)
    position = game("flood").position(5)
    found = rehearse(parse_player(path, position.game), position, 0)
    assert found is not None
    assert found.fault
    assert found.kernels == 0


def test_what_a_process_sends_goes_into_its_own_folder_and_is_bounded(tmp_path) -> None:
    folder = tmp_path / "kernels-of-players" / "a-1"
    folder.mkdir(parents=True)
    sent = {
        "../stolen-0.kernel": b"x",
        "/tmp/stolen-0.kernel": b"x",
        "good-0.kernel": b"x",
        "note.json": b"{}",
        "large-0.kernel": bytes(PLAYER_BYTES),
        f"{'é' * 190}.kernel": b"x",  # longer than the name of a file
    }
    assert keep(folder, sent) == 1
    assert [each.name for each in folder.iterdir()] == ["good-0.kernel"]
    assert [each.name for each in folder.parent.iterdir()] == ["a-1"]


def test_the_number_of_stored_files_is_bounded(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(player_kernels, "PLAYER_BYTES", 5 * player_kernels.BLOCK)
    assert keep(tmp_path, {f"{number}-0.kernel": b"" for number in range(100)}) == 5
    assert len(os.listdir(tmp_path)) == 5


def test_what_other_sources_of_a_player_left_is_removed(tmp_path) -> None:
    for name in ("a-1", "a-2", "b-1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "k-0.kernel").write_bytes(b"x")
    prune(tmp_path / "a-2")
    assert sorted(os.listdir(tmp_path)) == ["a-2", "b-1"]


def test_a_folder_belongs_to_one_file_and_its_sources(tmp_path) -> None:
    (tmp_path / "rules.py").write_text("import ludograph\nfrom pack import deep\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "deep.py").write_text("from . import deeper\n")
    (tmp_path / "pack" / "deeper.py").write_text("")
    (tmp_path / "other.py").write_text("")
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("import rules\n\ndef choose(position): pass\n")
    one, two = (str(tmp_path / name) for name in ("one.py", "two.py"))
    names = {os.path.relpath(path, tmp_path) for path in sources(one)}
    assert names == {"one.py", "rules.py", "pack/deep.py", "pack/deeper.py"}
    before = folder_of(one)
    assert before != folder_of(two)
    (tmp_path / "other.py").write_text("a = 1")
    assert folder_of(one) == before
    (tmp_path / "pack" / "deeper.py").write_text("a = 1")
    assert folder_of(one) != before


@pytest.mark.parametrize("dots", [3, 60, 5000])
def test_an_import_from_above_the_root_is_no_source(dots, file) -> None:
    path = file(f"import ludograph\nfrom {'.' * dots} import x\n")
    assert list(sources(path)) == [path]


def test_a_player_without_kernels_has_no_rehearsal(file) -> None:
    path = file("def choose(position):\n    return position.legal_moves()[0]\n")
    position = game("flood").position(5)
    assert own_kernel_folder(parse_player(path, position.game)) == ""
    assert rehearse(parse_player(path, position.game), position, 0) is None


@pytest.mark.slow
def test_no_player_can_write_among_kernels(file) -> None:
    code = """
import os, ludograph
from ludograph.rules.cache import own
def choose(position):
    for folder in (str(own.folder), os.environ["LUDOGRAPH_CACHE"]):
        try:
            open(os.path.join(folder, "mine"), "w").close()
        except OSError:
            continue
        raise RuntimeError("it could be written to " + folder)
    assert os.listdir(own.folder)
    return position.legal_moves()[0]
"""
    played = run(*GAME, file(code), "random", "--clock", "5s", "--json")
    assert json.loads(played.stdout)["faults"] == []
