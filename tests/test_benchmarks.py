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
    "first_hour.py": "it clones and sets everything up",
    "first_use.py": "it compiles everything anew, for minutes",
    "web.py": "tests/web/test_benchmark.py",
}
"""Benchmarks that do not run here, with the reason or the place."""

OLDER = str(ROOT)
"""The older checkout of benchmarks that compare two: the present one."""

SMALL = """
adaptive_schedule.py --players 8 --repeat 1 --starts 20 --spreads 100
batched_search.py --board 5 --simulations 8 --repeats 1
big_torus.py --sizes 20 40
c_game_start.py --games 3 --busy 0
compare_pairs.py --trials 20 --pairs 50 --elo 100
false_timeouts.py --games 3 --busy 0
flood_solve.py --size 6 --boards 2
graph_network.py --channels 16 --layers 2 --repeats 1
hex_connections.py --size 5 --games 1 --sims 50
hex_mcts.py --sizes 5 --seconds 0.1 --repeat 1
hex_network.py --sizes 5 --seconds 0.1 --repeat 1
hex_solve.py --largest 4 --repeats 1
hex_solved.py mcts:time=0.05 network solver:limit=0.1 --sample 3
isolation_cost.py --games 2
ladder_memory.py --games 10
ladder_tables.py --players 10 --games 100 --repeat 1
levels.py --pairs 1 amazons
mcts_rate.py flood --sims 200 --python-sims 10 --repeat 1
mcts_threads.py flood --seconds 0.2 --rounds 1
move_overhead.py
penguins_solve.py --games 1 --sims 20 --time 0.5
player_start.py --games 2
playouts_in_bulk.py
program_round_trip.py --games 1 --size 6
python_loop.py --seconds 0.01 --repeat 1
random_games.py amazons flood --seconds 0.01
rating_coverage.py --tournaments 1 --players 4 --starts 10
rating_speed.py --players 10 --games 1000 --repeat 1
referee_overhead.py --games 2 --width 6
rl_steps.py --games 8 --steps 20 --repeats 1
self_play.py --board 5 --channels 16 --layers 1 --games 4 --workers 1 --repeats 1
solo_bounded.py --boards 1 --size 10 --seconds 2
solo_optimal.py --boards 2 --size 6
startup.py --repeats 1
strength.py flood mcts:sims=20 greedy --starts 1 --older OLDER
tournament_kills.py --kills 1 --games 4
tournament_overhead.py --games 10 --stored 50
tournament_table.py --games 2 --size 6
verdict_delay.py --games 1
web_load.py --seconds 1
web_memory.py --games 5
"""

LINES = SMALL.strip().splitlines()


def test_each_benchmark_is_in_the_list():
    listed = [line.partition(" ")[0] for line in LINES]
    assert sorted([*listed, *ELSEWHERE]) == sorted(PROGRAMS)


@pytest.mark.slow
@pytest.mark.parametrize("line", [pytest.param(line, id=line.partition(".")[0]) for line in LINES])
def test_a_benchmark_prints_figures(line):
    program, *arguments = line.replace("OLDER", OLDER).split()
    command = [sys.executable, str(FOLDER / program), *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode in (0, 1), ran.stderr  # 1: a figure is beyond its limit
    assert "Traceback" not in ran.stderr, ran.stderr
    assert re.search(r"\d", ran.stdout)
