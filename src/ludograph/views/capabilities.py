"""How many colors a terminal shows."""

import os
from collections.abc import Mapping
from enum import Enum
from typing import Protocol

__all__ = ["Colors", "colors_of", "depth"]


class Colors(Enum):
    """What a stream can show."""

    NONE = 0
    INDEXED = 256
    TRUE = 1 << 24


class _Stream(Protocol):
    def isatty(self) -> bool: ...


def colors_of(stream: _Stream, environment: Mapping[str, str] | None = None) -> Colors:
    """Say which colors a stream wants.

    ``FORCE_COLOR`` (not empty, not ``0``) wins over everything, then ``NO_COLOR`` (not empty, see
    https://no-color.org), then ``TERM=dumb``, then whether the stream is a terminal.

    Parameters
    ----------
    stream : file-like
        Where the text goes, such as ``sys.stdout``.
    environment : mapping, optional
        Environment variables; those of the process by default.
    """
    variables = os.environ if environment is None else environment
    forced = variables.get("FORCE_COLOR", "")
    if forced == "0":
        return Colors.NONE
    if not forced and (
        variables.get("NO_COLOR") or variables.get("TERM") == "dumb" or not stream.isatty()
    ):
        return Colors.NONE
    return depth(variables)


def depth(environment: Mapping[str, str] | None = None) -> Colors:
    """Say how many colors a terminal that has colors at all shows: 256 or 24 bits."""
    variables = os.environ if environment is None else environment
    if variables.get("FORCE_COLOR") == "3":
        return Colors.TRUE
    if variables.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return Colors.TRUE
    # These set TERM to a name that says so, yet often no COLORTERM (over ssh it is lost).
    if variables.get("TERM", "").endswith(("-direct", "-truecolor", "kitty", "ghostty")):
        return Colors.TRUE
    return Colors.INDEXED
