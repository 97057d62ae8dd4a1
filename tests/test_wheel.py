"""A wheel with machine code: first games compile nothing, and so begin at once."""

import os
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ludograph.games.registry import names

ROOT = Path(__file__).parents[1]

PLAY = """
import sys
from numba.core import event
from ludograph import play_match
from ludograph.games.registry import game
import ludograph
assert ludograph.__file__.startswith(sys.prefix), ludograph.__file__
player, *names = sys.argv[1:]
for name in names:
    start = game(name).position()
    with event.install_recorder("numba:compile") as compilations:
        result = play_match(start, [player, "random"], seed=1)
    assert result.reason == "finished", result.sentence
    print(name, len(compilations.buffer))
"""


class Installed:
    """A wheel in an environment of its own, with an empty folder of kernels."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.python = folder / "bin" / "python"
        install = [self.python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
        subprocess.run(install, check=True)
        self.site = folder / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
        # What the package needs comes from here; in a path file, an editable Ludograph does not.
        needed = [path for path in sys.path if path.endswith("site-packages")]
        (self.site / "needed.pth").write_text("\n".join(needed))
        self.kernels = folder / "kernels"

    def play(self, player: str, *games: str) -> dict[str, int]:
        """Play a game against ``random`` from the usual start of games; count compilations."""
        others = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(
            [self.python, "-c", PLAY, player, *games],
            env={**others, "LUDOGRAPH_CACHE": str(self.kernels)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return {name: int(count) for name, count in map(str.split, done.stdout.splitlines())}


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="made for x86-64 here")
def test_first_games_compile_nothing(tmp_path) -> None:
    build = [sys.executable, ROOT / "scripts" / "build-wheel", "--out", tmp_path / "dist"]
    subprocess.run([*build, "--jobs", "2"], check=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    python = "cp{}{}".format(*sys.version_info)
    assert wheel.stem.endswith(f"-{python}-none-manylinux_2_17_x86_64")
    with zipfile.ZipFile(wheel) as archive:
        assert "ludograph/examples/README.md" in archive.namelist()
        listed = [name for name in archive.namelist() if name.endswith(".kernel")]
    assert all(name.startswith("ludograph/precompiled/") for name in listed)

    installed = Installed(wheel, tmp_path / "venv")
    nothing = dict.fromkeys(names(), 0)
    assert installed.play("mcts:sims=200", *names()) == nothing
    assert installed.play("mcts:time=0.1", *names()) == nothing
    assert not installed.kernels.exists()

    for name in listed:
        (installed.site / name).unlink()
    game = names()[0]
    assert installed.play("random", game)[game] > 0
    assert installed.kernels.exists()
