"""The output of sanitizers: the lines that matter."""

from __future__ import annotations

import re

MARK = re.compile(rb"^[^\n]*(?:(?:ERROR|WARNING): \w+Sanitizer|: runtime error: )", re.MULTILINE)
"""The beginnings of reports of AddressSanitizer and its family, and of
UndefinedBehaviorSanitizer."""

LEGEND = re.compile(
    r"^Shadow bytes around the buggy address:\n(?:(?:  |=>)[^\n]*\n|Shadow byte legend[^\n]*\n)*",
    re.MULTILINE,
)
"""The bytes around an address, and their legend: two thirds of a report, and of no use here."""

TELLING = re.compile(
    r"(?:ERROR|WARNING|SUMMARY): \w+Sanitizer|: runtime error: |^==\d+== *(?:Invalid|ERROR)"
)
"""The words in the lines with a finding."""

FRAMES = 4
"""The number of lines kept after a finding: its place."""


def without_legend(text: str) -> str:
    """Return a text without the shadow bytes of reports.

    Examples
    --------
    >>> without_legend("Shadow bytes around the buggy address:\\n  0x0: fa\\n==1==ABORTING\\n")
    '==1==ABORTING\\n'
    """
    return LEGEND.sub("", text)


def excerpt(log: str, head: int, tail: int) -> list[str]:
    """Return the lines of a log to show: the first, the last, and a sanitizer's findings.

    A count replaces the lines that are left out.
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
