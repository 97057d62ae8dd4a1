"""Overtime: the further games of a match in a knockout after a tie."""

from __future__ import annotations

from ludograph.formatting import counted

OVERTIME = 5
"""The most pairs of games after a tie, if nothing else is declared."""

MOST = 500
"""The most pairs that can be declared."""


def tie_rule(overtime: int) -> str:
    """Return the sentence on how a tie in a match is broken.

    Examples
    --------
    >>> tie_rule(0)
    'After a tie the higher seed advances.'
    """
    if overtime == 0:
        return "After a tie the higher seed advances."
    return (
        "After a tie, pairs of games are played until one player is ahead; the higher seed "
        f"advances after {counted(overtime, 'pair')}."
    )
