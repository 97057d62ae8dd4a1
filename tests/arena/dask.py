"""A Dask scheduler and workers of the tests' own, as processes of this machine."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl


class Cluster:
    """A scheduler, and as many workers as are added; each plays one game at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        described = folder / "scheduler.json"
        self.scheduler = self._run(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", described
        )
        end = time.monotonic() + 120
        while not (described.exists() and described.read_text().endswith("}")):
            assert self.scheduler.poll() is None, self.log()
            assert time.monotonic() < end, self.log()
            time.sleep(0.05)
        self.address = json.loads(described.read_text())["address"]
        self.workers: list[subprocess.Popen] = []

    def add_worker(self) -> subprocess.Popen:
        """Start a worker; games wait for it."""
        words = ("--nthreads", 1, "--no-nanny", "--local-directory", self.folder)
        self.workers.append(self._run("worker", self.address, *words))
        return self.workers[-1]

    def _run(self, what: str, *words: object) -> subprocess.Popen:
        program = (sys.executable, "-m", f"distributed.cli.dask_{what}", "--no-dashboard")
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [*program, *map(str, words)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: prctl(PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509
            )

    def log(self) -> str:
        """Return what all of them have said."""
        return (self.folder / "log").read_text()

    def end(self) -> None:
        """End them all."""
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait(60)


@contextlib.contextmanager
def running(workers: int) -> Iterator[Cluster]:
    """Run a cluster; nothing is left of it behind."""
    with tempfile.TemporaryDirectory(prefix="ludograph-dask-", ignore_cleanup_errors=True) as name:
        cluster = Cluster(Path(os.path.realpath(name)))
        try:
            for _ in range(workers):
                cluster.add_worker()
            yield cluster
        finally:
            cluster.end()
