"""The fields of a form, made from the options that a game declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from ludograph.games import Declaration
from ludograph.games.board_option import CALLED, BoardKind
from ludograph.games.options import Flag, Option, Whole, Word

Given = Mapping[str, str]
"""What a form has sent: texts by the names of its fields."""

OTHER = "other"
"""Chosen where none of the words is meant: a field of its own has the text then."""


@dataclass(frozen=True)
class Field:
    """One thing to choose.

    Attributes
    ----------
    kind
        ``board``, ``number``, ``word``, ``choice`` (a word, or another text), ``flag`` or ``text``.
    label
        What is chosen.
    words
        To choose from, each with what it is called; of a text they are only proposed.
    other
        The text of a ``choice`` that is none of the words.
    only_with
        The name and the value of the field without which this one means nothing.
    rare
        Whether few want to choose it.
    """

    name: str
    kind: str
    value: str
    label: str
    summary: str
    rare: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    only_with: tuple[str, str] | None = None
    size: tuple[str, str] = ("", "")
    other: str = ""

    def follows(self, other: Field) -> bool:
        """Tell whether it means something with one value of another field only."""
        return self.only_with is not None and self.only_with[0] == other.name


def fields(declared: Declaration, given: Given) -> list[Field]:
    """Return the fields of a game's options, with the values given or else the defaults.

    What means nothing without another one follows it.
    """
    found = [_field(option, given) for option in declared.options]
    own = [each for each in found if each.only_with is None]
    return [each for one in own for each in (one, *(f for f in found if f.follows(one)))]


def chosen(option: Option, given: Given) -> str:
    """Return the text that a form gives for an option; empty if it gives none."""
    text = given.get(option.name, "").strip()
    if option.form.others and text == OTHER:
        return given.get(f"{option.name}.{OTHER}", "").strip()
    return text


def _field(option: Option, given: Given) -> Field:
    kind, name, form = option.kind, option.name, option.form
    default = form.value or ("" if option.default is None else str(option.default))
    value = given.get(name, default)
    only = None if option.only_with is None else (option.only_with[0], str(option.only_with[1]))
    make = partial(
        Field,
        name=name,
        label=form.label or name.capitalize(),
        summary=form.summary or option.summary,
        rare=form.rare,
        only_with=only,
    )
    if isinstance(kind, BoardKind):
        family, _, size = default.partition(":")
        family = given.get(name, family)
        width, _, height = size.partition("x")
        sizes = given.get(f"{name}.width", width), given.get(f"{name}.height", height)
        words = {each: CALLED.get(each, each) for each in kind.families}
        return make(kind="board", value=family, summary=form.summary, words=words, size=sizes)
    if form.others:
        words = {**form.words, OTHER: form.others}
        if value in form.words:
            return make(kind="choice", value=value, words=words)
        return make(kind="choice", value=OTHER, words=words, other=chosen(option, given))
    if isinstance(kind, Word) or form.words:
        offered = kind.words if isinstance(kind, Word) else tuple(form.words)
        return make(
            kind="word", value=value, words={each: form.words.get(each, each) for each in offered}
        )
    if isinstance(kind, Whole):
        return make(kind="number", value=value, low=kind.low, high=kind.high)
    if isinstance(kind, Flag):
        checked = given.get(name, "") if given else str(option.default).lower()
        return make(kind="flag", value="true" if checked == "true" else "")
    return make(kind="text", value=value, words={each: each for each in kind.trials})
