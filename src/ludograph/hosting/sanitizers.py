"""The output of sanitizers: the lines that matter."""

from __future__ import annotations

import re

MARK = re.compile(rb"^[^\n]*(?:(?:ERROR|WARNING): \w+Sanitizer|: runtime error: )", re.MULTILINE)
"""How a report begins: of AddressSanitizer and its kin, or of UndefinedBehaviorSanitizer."""

LEGEND = re.compile(
    r"^Shadow bytes around the buggy address:\n(?:(?:  |=>)[^\n]*\n|Shadow byte legend[^\n]*\n)*",
    re.MULTILINE,
)
"""The bytes around an address, and what they mean: two thirds of a report, for nobody."""

TELLING = re.compile(
    r"(?:ERROR|WARNING|SUMMARY): \w+Sanitizer|: runtime error: |^==\d+== *(?:Invalid|ERROR)"
)
"""What is in the lines that say what was found."""

FRAMES = 4
"""Lines behind a telling one that are kept with it: where it was."""


def without_legend(text: str) -> str:
    """Return a text without the shadow bytes of reports.

    Examples
    --------
    >>> without_legend("Shadow bytes around the buggy address:\\n  0x0: fa\\n==1==ABORTING\\n")
    '==1==ABORTING\\n'
    """
    return LEGEND.sub("", text)


def excerpt(log: str, head: int, tail: int) -> list[str]:
    """Return the lines of a log to show: the first, the last, and what a sanitizer has found.

    Lines that are left out are counted where they were.
    """
    lines = without_legend(log).strip("\n").splitlines()
    kept = {*range(min(head, len(lines))), *range(max(0, len(lines) - tail), len(lines))}
    for number, line in enumerate(lines):
        if TELLING.search(line):
            frames = 0 if "SUMMARY" in line else FRAMES
            kept.update(range(number, min(number + frames + 1, len(lines))))
        if len(kept) > 3 * (head + tail):
            break
    shown: list[str] = []
    before = -1
    for number in sorted(kept):
        if number > before + 1:
            count = number - before - 1
            shown.append(f"[{count} {'line' if count == 1 else 'lines'} left out]")
        shown.append(lines[number])
        before = number
    return shown
