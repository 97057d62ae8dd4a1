"""The errors of Ludograph: few, all ``ValueError``, each with one sentence for its reader."""

from __future__ import annotations


class LudographError(ValueError):
    """Base of all errors that a user can cause; the message is one complete sentence."""


class InvalidInput(LudographError):
    """A file, option, player name or record from outside is wrong; says what and where."""


class IllegalMove(LudographError):
    """A move that the rules do not allow, or a text that names no move."""


class HostFailure(RuntimeError):
    """The referee's own fault: a host process did not come up; no player is to blame."""
