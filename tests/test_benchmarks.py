"""Every benchmark runs to its end with small numbers. What it then measures says nothing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks"
PROGRAMS = {path.name for path in FOLDER.glob("*.py") if "\ndef main(" in path.read_text()}

ELSEWHERE = {
    "first_use.py": "it compiles everything anew, for minutes",
    "web.py": "tests/web/test_benchmark.py",
}
"""Benchmarks that do not run here, with the reason or the place."""

OLDER = str(ROOT)
"""The older checkout of benchmarks that compare two: the present one."""

SMALL = """
false_timeouts.py --games 3 --busy 0
flood_solve.py --size 6 --boards 2
hex_mcts.py --sizes 5 --seconds 0.1 --repeat 1
hex_knowledge.py --size 5 --games 1 --sims 50
hex_solve.py --largest 4 --repeats 1
hex_solved.py mcts:time=0.05 network solver:limit=0.1 --sample 3
isolation_cost.py --games 2
levels.py --pairs 1 amazons
mcts_threads.py flood --seconds 0.2 --rounds 1
penguins_solve.py --games 1 --sims 20 --time 0.5
python_loop.py --seconds 0.01 --repeat 1
random_games.py amazons flood --seconds 0.01
random_games.py hex --seconds 0.01 --bulk
ratings.py coverage --tournaments 1 --players 4 --starts 10
ratings.py speed --players 10 --games 1000
referee_overhead.py --games 1 --size 6
rl_steps.py --games 8 --steps 20 --repeats 1
self_play.py --board 5 --simulations 8 --channels 16 --layers 1 --games 4 --workers 1 --repeats 1
solo_optimal.py --boards 2 --size 6
solo_optimal.py --boards 1 --size 10 --memory 4 --time 2
strength.py flood mcts:sims=20 greedy --starts 1 --older OLDER
tournaments.py overhead --games 10
tournaments.py tables --players 10 --games 100 --repeat 1
tournaments.py memory --games 12
verdict_delay.py --games 1
web_load.py --seconds 1
web_memory.py --games 5
"""

LINES = SMALL.strip().splitlines()


def test_each_benchmark_is_in_the_list():
    listed = {line.partition(" ")[0] for line in LINES}
    assert sorted([*listed, *ELSEWHERE]) == sorted(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_a_benchmark_prints_figures(line):
    program, *arguments = line.replace("OLDER", OLDER).split()
    command = [sys.executable, str(FOLDER / program), *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode in (0, 1), ran.stderr  # 1: a figure is beyond its limit
    assert "Traceback" not in ran.stderr, ran.stderr
    assert re.search(r"\d", ran.stdout)
