"""``ludograph learn``: what it refuses, and a run from its first round to a player."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ludograph.cli.learn.running import sizes_in
from ludograph.search.network import read_network
from tests.cli.run import refuse, succeed

TINY = ("--channels", 16, "--layers", 1, "--games", 4, "--sims", 4, "--short-sims", 2)


def test_a_range_of_sizes_is_several_boards() -> None:
    assert sizes_in("hexagonal:5-7") == ["hexagonal:5", "hexagonal:6", "hexagonal:7"]
    assert sizes_in("4-5") == ["4", "5"]
    assert sizes_in("full-hexa:8x7") == ["full-hexa:8x7"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "x.npz", "--board", "7-5"], "a range of sizes goes up"),
        (["--out", "x.npz", "--board", "nowhere:7"], "a family with a size"),
        (["--out", "x.txt"], "a file called ....npz"),
        (["--out", "x.npz", "--hours", "1", "--minutes", "5"], "exclude each other"),
        (["--out", "x.npz", "--anchor", "nobody"], "has no strategy 'nobody'"),
        (["--out", "x.npz", "--channels", "20"], "a multiple of 16"),
        (["--out", "x.npz", "--device", "gpu"], "JAX finds no GPU here"),
        (["--out", "x.npz", "extra"], "nothing can follow the board"),
    ],
)
def test_wrong_input_is_one_sentence(arguments, sentence, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refuse("learn", "hex", *arguments)


@pytest.mark.slow
def test_without_jax_the_extra_is_named(tmp_path) -> None:
    code = (
        "import sys; sys.modules['jax'] = None; sys.argv = ['ludograph', *sys.argv[1:]];"
        "from ludograph.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "learn", "hex", "--out", tmp_path / "x.npz"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "ludograph: learning needs the package jax: pip install 'ludograph[learn]'\n"
    )


@pytest.mark.slow
def test_a_run_goes_on_and_its_network_plays(tmp_path) -> None:
    out = tmp_path / "my.npz"
    command = ("learn", "hex", "--board", "2-3", *TINY, "--anchor", "random", "--match-games", 4)
    said = succeed(*command, "--rounds", 1, "--out", out)
    assert "against random" in said
    assert read_network(out, game="hex").trained["rounds"] == 1
    succeed(*command, "--rounds", 2, "--out", out)
    assert read_network(out, game="hex").trained["rounds"] == 2
    lines = (tmp_path / "my" / "curve.jsonl").read_text().splitlines()
    assert [json.loads(line)["rounds"] for line in lines] == [1, 2]
    assert "other settings: seed is 0 there, and 1 here" in refuse(
        *command, "--rounds", 2, "--seed", 1, "--out", out
    )
