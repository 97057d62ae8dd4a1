"""Types of options: what texts and values mean, and the sentence for what means nothing."""

import pytest

from ludograph.games.options import Flag, Number, Numbers, Seconds, Unexpected, Whole, Word
from ludograph.games.strategy import Threads

UNDERSTOOD = [
    (Number(0, 1), "0.25", 0.25),
    (Number(0, 1), "1", 1.0),
    (Seconds(0.001, 3600), "10s", 10.0),
    (Seconds(0.001, 3600), "0.5", 0.5),
    (Whole(1, 9), "9", 9),
    (Word(("on", "off")), "ON", "on"),
    (Threads(), "3", 3),
    (Flag(), "no", False),
    (Numbers("a few"), "3,5", [3, 5]),
]

REFUSED = [
    (Number(0, 1), "1.01", "a number from 0 to 1"),
    (Number(0, 1), "nan", "a number from 0 to 1"),
    (Number(0, 1e9), "x", "a number from 0 to 1000000000"),
    (Seconds(0.001, 3600), "s", "a number of seconds from 0.001 to 3600"),
    (Whole(1, 9), "1.0", "a whole number from 1 to 9"),
    (Word(("on", "off")), "", "on or off"),
    (Threads(), "0", "a whole number from 1 to 64 or all"),
    (Threads(), "00000001999", "a whole number from 1 to 64 or all"),
    (Threads(), "9" * 30, "a whole number from 1 to 64 or all"),
]


PYTHONS_OWN = ["1_0", "\uff11", "\u0661", " 1", "1\n", "inf", "nan", "0x1", "1e400", "+_1", "1j"]
"""Numbers of which Python reads most, although nobody writes them so."""


@pytest.mark.parametrize("of", [Number(0, 1e9), Seconds(0, 1e9), Whole(0, 10**9), Numbers("few")])
@pytest.mark.parametrize("text", PYTHONS_OWN)
def test_numbers_are_written_as_everywhere(of, text):
    with pytest.raises(Unexpected):
        of.parse(text)


@pytest.mark.parametrize(("text", "value"), [("+.5", 0.5), ("2.", 2.0), ("1E-4", 1e-4)])
def test_usual_forms_of_numbers_are_understood(text, value):
    assert Number(0, 10).parse(text) == value


@pytest.mark.parametrize(("of", "text", "value"), UNDERSTOOD)
def test_a_text_means_a_value(of, text, value):
    assert of.parse(text) == value
    assert of.parse(of.to_text(value)) == value


@pytest.mark.parametrize(("of", "text", "said"), REFUSED)
def test_what_means_nothing_is_refused_with_what_was_expected(of, text, said):
    with pytest.raises(Unexpected) as error:
        of.parse(text)
    assert str(error.value) == said


@pytest.mark.parametrize("value", [True, "0.5", None, [1], 2.0])
def test_a_value_in_python_must_be_a_number_within_bounds(value):
    with pytest.raises(Unexpected):
        Number(0, 1).check(value)


def test_a_number_in_python_is_a_float():
    assert isinstance(Number(0, 1).check(1), float)
