"""Overtime: the further games of a match in a knockout after a tie."""

from __future__ import annotations

from typing import Any, Final, Literal

from ludograph.errors import InvalidInput

UNTIL_DECIDED: Final = "until-decided"
"""The overtime that has no fixed number of pairs."""

Overtime = int | Literal["until-decided"]
"""The most pairs of games after a tie."""

OVERTIME: Final = 5
"""Pairs of games after a tie, if nothing else is declared."""

MOST = 500
"""The most pairs of an overtime until decided."""

REPEATS = 5
"""Pairs in a row that repeat earlier games, after which further ones cannot decide a match."""

EXPECTED = f"a whole number from 0 to {MOST}, or {UNTIL_DECIDED}"


def as_overtime(value: Any) -> Overtime:
    """Return an overtime from a file or from Python; raise InvalidInput if it is none."""
    if value == UNTIL_DECIDED:
        return UNTIL_DECIDED
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST:
        return value
    raise InvalidInput(f"overtime must be {EXPECTED}, got {str(value)[:80]!r}")


def most_pairs(overtime: Overtime) -> int:
    """Return the number of pairs that are played at most."""
    return MOST if overtime == UNTIL_DECIDED else overtime


def tie_rule(overtime: Overtime) -> str:
    """Return the sentence on how a tie in a match is broken.

    Examples
    --------
    >>> tie_rule(0)
    'After a tie the higher seed advances.'
    """
    if overtime == 0:
        return "After a tie the higher seed advances."
    if overtime == UNTIL_DECIDED:
        return (
            "After a tie, pairs of games are played until one player is ahead; the higher seed "
            f"advances if {REPEATS} pairs in a row repeat earlier games, or after {MOST} pairs."
        )
    pairs = "1 pair" if overtime == 1 else f"{overtime} pairs"
    return (
        "After a tie, pairs of games are played until one player is ahead; the higher seed "
        f"advances after {pairs}."
    )
