"""``python -m tests.fuzz``: spoiled inputs at all doors, in a process that may crash or hang."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.running import HANG, Findings, run_apart


def main() -> int:
    """Return 1 if something was found."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0, help="stop after so long")
    parser.add_argument("--door", default="", help="only doors whose names hold this")
    asked = parser.parse_args()
    began = time.monotonic()
    findings = Findings(asked.seed, asked.door)
    first, last = asked.first, asked.first + asked.inputs
    with tempfile.TemporaryDirectory(prefix="ludograph-fuzz-") as folder:
        while first < last:
            left = asked.seconds - (time.monotonic() - began)
            if left <= 0:
                break
            first = run_apart(findings, range(first, last), Path(folder), left)
    count, seconds = first - asked.first, time.monotonic() - began
    print(f"{count} inputs, {findings.refused} refused, {seconds:.0f} s, seed {asked.seed}")
    for what, (number, door, shown) in findings.found.items():
        print(f"\n{door}, input {number}: {what}\n  {shown}")
        print(
            f"  again: python -m tests.fuzz --seed {asked.seed} --first {number} --inputs 1", end=""
        )
        print(f" --door '{asked.door}'" if asked.door else "")
    sys.stdout.flush()
    return 1 if findings.found else 0


if __name__ == "__main__":
    assert HANG > 0
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
