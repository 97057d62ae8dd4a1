"""Machine code on disk is never older than the rules: proven on an edited copy of the package."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ludograph
from ludograph.rules.precompiled import TARGETS

SOURCE = Path(ludograph.__file__).parent

# The kernels called here stand in rules/batch.py and rules/direct.py; what they compute stands in
# games/flood/rules.py and rules/random.py. Numba's own cache would look at their own files only.
PROBE = """
import sys
import ludograph
assert ludograph.__file__.startswith(sys.argv[1]), ludograph.__file__
from ludograph import boards, flood, random_games, rules

def found():
    position = flood.position(boards.square(3), colors=3, seed=4)
    games = random_games(position, 6, seed=1, threads=1)
    return position.legal_moves(), games.moves.tolist(), games.scores.tolist()

answer = found()
with rules.interpreted():
    assert found() == answer
print(answer)
"""


class Copy:
    """The package in a folder of its own, with its own cache."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        shutil.copytree(SOURCE, folder / "ludograph", ignore=shutil.ignore_patterns("__pycache__"))

    def run(self, **more: str) -> tuple[str, set[str]]:
        """Run the probe on the copy; return what it prints, and the kernels that were compiled."""
        before = self.kernels()
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.root),
            "LUDOGRAPH_CACHE": str(self.root / "kernels"),
            **more,
        }
        done = subprocess.run(
            [sys.executable, "-c", PROBE, str(self.root)],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        made = {path.name.partition("-")[0] for path in self.kernels() - before}
        assert ("preparing" in done.stderr) == bool(made)
        return done.stdout, {name.rpartition(".")[2] for name in made}

    def kernels(self) -> set[Path]:
        """Return the files with machine code."""
        return set((self.root / "kernels").glob("*"))

    def edit(self, file: str, old: str, new: str) -> None:
        """Replace a text in a file; size and time of change stay as they were."""
        path = self.root / "ludograph" / file
        text = path.read_text()
        assert text.count(old) == 1, (file, old)
        assert len(old) == len(new)
        stat = path.stat()
        path.write_text(text.replace(old, new))
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        # Python's own cache of byte code looks at size and time too, and would not notice.
        for pyc in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            pyc.unlink()


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


def scores_edited(copy: Copy, first):
    """Edit the rule of scores; return what the next run prints, which compiles only this rule."""
    copy.edit(
        "games/flood/rules.py",
        "        out[seat] = state[zone_at(seat) + SIZE]\n",
        "        out[seat] = -state[zone_at(seat)+ SIZE]\n",
    )
    edited, compiled = copy.run()
    assert edited != first
    assert "random_game_all" in compiled
    assert "take_turn" not in compiled, "what the edit does not touch is not compiled again"
    return edited


@pytest.mark.slow
def test_an_edited_rule_runs_at_once(copy: Copy) -> None:
    first, compiled = copy.run()
    assert "take_turn" in compiled
    again, compiled = copy.run()
    assert again == first
    assert not compiled, "the second run must find its machine code on disk"

    edited = scores_edited(copy, first)

    copy.edit(
        "rules/random.py",
        "SHIFT_31 = np.uint64(27), np.uint64(30)",
        "SHIFT_31 = np.uint64(26), np.uint64(30)",
    )
    shuffled, compiled = copy.run()
    assert "random_game_all" in compiled, "a constant of another file counts too"
    assert shuffled != edited


@pytest.mark.slow
def test_precompiled_code_of_an_edited_rule_is_not_taken(tmp_path) -> None:
    copy = Copy(tmp_path)
    target = TARGETS[platform.machine()]
    first, compiled = copy.run(NUMBA_CPU_NAME=target.name, NUMBA_CPU_FEATURES="")
    assert "random_game_all" in compiled
    (copy.root / "kernels").rename(copy.root / "ludograph" / "precompiled")
    assert copy.run() == (first, set()), "all is found in the package"

    scores_edited(copy, first)
