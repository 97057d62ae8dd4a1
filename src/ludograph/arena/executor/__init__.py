"""Executors: interchangeable ways to play games, in this process, in several, or on a cluster."""

from ludograph.arena.executor.local import InProcess, LocalProcesses, cores, local_executor
from ludograph.arena.executor.protocol import (
    Executor,
    Failure,
    Jobs,
    ListedJobs,
    OnOutput,
    Queue,
    play_all,
)

__all__ = [
    "Executor",
    "Failure",
    "InProcess",
    "Jobs",
    "ListedJobs",
    "LocalProcesses",
    "OnOutput",
    "Queue",
    "cores",
    "local_executor",
    "play_all",
]
