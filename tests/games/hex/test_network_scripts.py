"""The scripts that made the network of Hex: games of a few seconds, and a pass over them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ludograph.games.hex.evaluation.network import learned

SCRIPTS = Path(__file__).resolve().parents[3] / "scripts"


def run(script: str, *arguments: object) -> str:
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_games_are_played_solved_and_learned_from(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    games, layers = tmp_path / "games.npz", tmp_path / "layers.npz"
    run("hex-network-games", games, "--games", 25, "--size", 7)
    with np.load(games) as file:
        rows = dict(file)
    assert set(np.unique(rows["truth"])) == {-1, 0, 1}
    followed = np.flatnonzero(np.diff(rows["game"]) == 0)
    both = followed[(rows["truth"][followed] == 0) & (rows["truth"][followed + 1] >= 0)]
    assert (rows["truth"][both + 1] == 1).all()  # after any move of the loser the other wins
    said = run("learn-hex-network", games, "--passes", 1, "--batch", 8, "--out", layers)
    assert "7 x 7: surprise" in said
    with np.load(layers) as file:
        for name, before in learned()._asdict().items():
            after = file[name].astype(np.float32)
            assert after.shape == before.shape
            assert np.isfinite(after).all()
            assert not np.array_equal(after, before)
