"""Whether pages answer under many costly requests at once, and the memory that these need.

    python benchmarks/web_load.py [--seconds 10]

A server of its own gets 45 requests for animations of games of 35 moves or more, and 42 uploads of
complete graphs, all at once. Meanwhile a visitor loads pages. Printed are

- pages: seconds until a whole page has arrived, before, during and after the costly requests:
  median, 99th percentile, the slowest one and its address;
- memory: the peak of the server with all its processes;
- end: seconds from SIGTERM until the server has ended, sent during a second load of this kind.
"""

from __future__ import annotations

import argparse
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx2 as httpx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.web.load import Visit, all_at_once, pages_of, resident, visits, write_records


def tell(name: str, found: list[Visit]) -> None:
    """Print how long pages took."""
    times = sorted(visit.seconds for visit in found)
    slowest = max(found, key=lambda visit: visit.seconds)
    wrong = {visit.status for visit in found} - {200}
    print(
        f"{name:10} median {1000 * statistics.median(times):4.0f} ms, of a hundred 99 in "
        f"{1000 * times[int(0.99 * len(times))]:4.0f} ms, at worst {1000 * times[-1]:4.0f} ms "
        f"({slowest.path}), {len(found)} pages{f', answers {wrong}' if wrong else ''}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of loading pages, in each phase"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        numbers = write_records(Path(folder), 45)
        own = ["--port", "0", "--records", folder, "--store", f"{folder}/store.db"]
        process = subprocess.Popen(
            [sys.executable, "-m", "ludograph", "serve", *own],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            measure(process, numbers, options.seconds)
        finally:
            process.kill()
            process.wait()


def measure(process: subprocess.Popen[str], numbers: list[str], seconds: float) -> None:
    """Do it all."""
    assert process.stdout is not None
    found = re.search(r"http://\S+:\d+", process.stdout.readline())
    assert found is not None
    address, pages = found[0], pages_of(numbers[0])
    most, ended = [0.0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.25):
            most[0] = max(most[0], resident(process.pid))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        with httpx.Client(base_url=address, timeout=120) as client:
            visits(client, pages, 1.0)  # everything is loaded then
            tell("before", visits(client, pages, seconds / 2))
            with all_at_once(address, numbers):
                tell("meanwhile", visits(client, pages, seconds))
            tell("after", visits(client, pages, seconds / 2))
        with all_at_once(address, numbers):
            time.sleep(0.5)
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.wait(120)
            took = time.monotonic() - began
    finally:
        ended.set()
        watching.join()
    print(f"memory     {most[0]:.0f} MiB at most")
    print(f"end        {took:.1f} s after SIGTERM")


if __name__ == "__main__":
    main()
