"""What each kind of player does inside its host: prepare, start, play, finish."""

from __future__ import annotations

from typing import Any

from ludograph.hosting.channel import Answer


class Runner:
    """One kind of player inside its host; an exception is the player's fault.

    By default it needs no preparation, leaves no notes, and sends no analysis.
    """

    def prepare(self, needed: str) -> None:
        """Prepare for games; none of the player's code runs yet.

        Parameters
        ----------
        needed
            The game's name; for a library, the result of ``LibraryInterface.description``, as JSON.

        Raises
        ------
        InvalidInput
            If something is missing on this machine, which is not the player's fault.
        """

    def share(self, memory: Any) -> None:
        """Write notes for a crash report into a page shared with another process."""

    def start(self, order: dict[str, Any]) -> Answer:
        """Load the player and begin a game; the answer has the player's own name."""
        raise NotImplementedError

    def play(self, question: Any) -> Answer:
        """Ask for a move; the question is that of the player's dialogue."""
        raise NotImplementedError

    def thoughts(self) -> Answer:
        """Return the player's analysis of its last move; never a fault."""
        return Answer()

    def finish(self, result: Any) -> None:
        """End the game; the result is that of the player's dialogue, None if it was stopped."""
        raise NotImplementedError
