"""Executors: interchangeable ways to play games, in this process, in several, or on a cluster."""

from ludograph.arena.executor.local import InProcess, LocalProcesses, cores, local_executor
from ludograph.arena.executor.protocol import Executor, ListedGames, OnOutput, Queue, play_all
from ludograph.arena.executor.shared_chance import SharedChance

__all__ = [
    "Executor",
    "InProcess",
    "ListedGames",
    "LocalProcesses",
    "OnOutput",
    "Queue",
    "SharedChance",
    "cores",
    "local_executor",
    "play_all",
]
