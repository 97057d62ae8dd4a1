"""Texts in the columns of a terminal."""

import pytest

from ludograph.views.columns import fit, pad, width


@pytest.mark.parametrize(
    ("text", "columns", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("ab", 0, ""),
    ],
)
def test_fit(text, columns, cut):
    assert fit(text, columns) == cut
    assert width(cut) <= max(columns, 0)
    assert width(pad(text, columns)) == columns
