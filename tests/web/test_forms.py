"""Forms, without a browser: what they say, and what they understand."""

import re

import pytest

from ludograph.games.registry import OURS, declaration
from ludograph.web import forms

COMMANDS = re.compile(r"--|_|\b(file|option|given|course's|ludograph|boards')\b|[A-Z]{3}")
"""What speaks to who types a command."""


@pytest.mark.parametrize("game", OURS)
def test_forms_speak_to_who_fills_them_in(game) -> None:
    for field in forms.fields(declaration(game), {}):
        said = (field.label, field.summary, *(field.words.values() if field.kind != "text" else ()))
        assert not [text for text in said if COMMANDS.search(text)]
        assert field.label[0].isupper()


@pytest.mark.parametrize("game", OURS)
def test_what_a_form_shows_at_first_begins_the_usual_game(game) -> None:
    declared = declaration(game)
    given = {}
    for field in forms.fields(declared, {}):
        given |= {field.name: field.value} if field.value else {}
        if field.kind == "board":
            given |= {f"{field.name}.width": field.size[0], f"{field.name}.height": field.size[1]}
        if field.kind == "word":
            assert field.value in field.words
    chosen = forms.read(declared, {**given, "seed": "3", "player1": "human"})
    usual = declared.game().position(seats=chosen.start.seats, seed=3)
    assert chosen.start == usual
