"""`benchmarks/web.py` prints its figures: few people, few loads."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MEASURES = ["frames", "home", "moves", "lag"]


@pytest.mark.slow
def test_the_benchmark_of_pages_prints_each_figure_with_its_processor_time():
    few = ["--records", "3", "--repeats", "1", "--connections", "2", "--loads", "2"]
    few += ["--people", "2", "--moves", "4", "--games", "hex", "--spectators", "3"]
    command = [sys.executable, "benchmarks/web.py", *MEASURES, *few]
    ran = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert [line.split()[0] for line in lines] == MEASURES
    assert all("processor each: " in line for line in lines)
