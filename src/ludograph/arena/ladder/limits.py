"""How long a ladder runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """When a run ends by itself; without any it does not.

    Attributes
    ----------
    games
        After so many.
    until
        At this time, as :func:`time.monotonic` counts it; games under way are played to their end.
    once
        When all that was planned at the first look has been played.
    """

    games: int | None = None
    until: float | None = None
    once: bool = False
