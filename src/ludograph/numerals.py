"""Numbers in texts from outside, in the usual notation."""

from __future__ import annotations

import math
import re

_DECIMAL = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})(e[+-]?[0-9]{1,3})?", re.I)


def decimal_number(text: str) -> float:
    """Return the number that a text means, as in ``0.5``, ``-3`` and ``1e-4``.

    Python's ``float`` also takes ``1_0``, digits of other scripts, ``nan``, ``inf`` and blanks.

    Raises
    ------
    ValueError
        If it is not a finite number in ASCII digits.

    Examples
    --------
    >>> decimal_number(".5"), decimal_number("2e3")
    (0.5, 2000.0)
    """
    number = float(text) if text.isascii() and _DECIMAL.fullmatch(text) else math.nan
    if not math.isfinite(number):
        raise ValueError(f"not a number: {text[:40]!r}")
    return number
