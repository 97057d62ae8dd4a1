"""A declaration refuses fields of the wrong kind in a sentence with the name of the field."""

import dataclasses
import re

import pytest

from ludograph.errors import InvalidInput
from ludograph.games.options import Option, Whole
from tests.toys.nim_game import DECLARATION

SIDES = Option("sides", Whole(1, 9), 6, "of the die")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seats": 3}, "seats must be the least and the greatest number of seats, .*, got 3"),
        ({"seats": (4, 2)}, r"seats must be .*, as in \(2, 4\), got \(4, 2\)"),
        ({"seats": (0, 2)}, r"seats must be .*, got \(0, 2\)"),
        ({"help": "Take the last."}, r"help must be Help\(text, examples\), got 'Take the last.'"),
        ({"options": SIDES}, "options must be a tuple of Option, with a comma even after .*"),
        ({"anchors": ("random")}, "anchors must be a tuple of str, .* single one, got 'random'"),
        ({"advisers": ("random", 1)}, r"advisers must be a tuple of str, .*"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(changes, sentence) -> None:
    with pytest.raises(InvalidInput) as caught:
        dataclasses.replace(DECLARATION, **changes)
    assert re.fullmatch(f"declaration of nim: {sentence}", str(caught.value))


def test_a_list_is_as_good_as_a_tuple() -> None:
    assert dataclasses.replace(DECLARATION, options=[SIDES], seats=[2, 4]).seats == [2, 4]
