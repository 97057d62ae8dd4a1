"""Forms of new games: fields made from a game's declared options, and how they are read."""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ludograph.analysis.advice import TIME, has_time
from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games import Declaration, Position
from ludograph.games.board_option import SIZE, BoardType, family_called
from ludograph.games.options import Flag, Option, Whole, Word
from ludograph.games.registry import load
from ludograph.games.strategy import Strategy
from ludograph.players import PlayerSpec, parse_player
from ludograph.players.spec import HUMAN
from ludograph.referee import Clock
from ludograph.referee.player_factory import check_seating
from ludograph.web.boards.uploaded_boards import OWN, option_of
from ludograph.web.games.offered_players import OFFERED, OfferedPlayers
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.server import limits

ANYBODY = "guest"
"""Another person, who gets a link."""

USUAL_TIME = "0.5"

DECIMAL = re.compile(r"\d{1,20}(\.\d{0,20})?|\.\d{1,20}", re.ASCII)
"""The pattern of seconds."""


@dataclass
class MatchForm:
    """The match chosen in a form."""

    start: Position
    players: list[PlayerSpec]
    own: tuple[int, ...]
    seed: int
    clock: Clock | None


def opponents(declared: Declaration) -> list[Strategy]:
    """Return the strategies of a game that need no setting, by name."""
    known = sorted(load(declared).strategies.items())
    return [each for _, each in known if each.plays_alone()]


def seats_of(declared: Declaration) -> tuple[int, int]:
    """Return the least and the greatest number of players on a page."""
    low, high = declared.seats
    return low, min(high, max(low, limits.SEATS))


def usual_seats(declared: Declaration) -> int:
    """Return the default number of players."""
    low, high = seats_of(declared)
    return min(max(2, low), high)


def usual_player(declared: Declaration, seat: int) -> str:
    """Return the default player of a seat: first the visitor, then one of middle strength.

    It is the middle one of the measured levels, or the adviser in a game without levels.
    """
    if seat == 0:
        return HUMAN
    if levels := levels_of(declared):
        return levels[1].choice
    name = load(declared).adviser(usual_seats(declared)).partition(":")[0]
    return str(name)


def is_ours(declared: Declaration, given: Given) -> bool:
    """Tell whether a form has any of our fields; otherwise no page has sent it."""
    own = {"seats", "seed", "clock", "pause", OWN, *(option.name for option in declared.options)}
    return any(
        name.partition(".")[0] in own or name.startswith(("player", "time")) for name in given
    )


def read(
    declared: Declaration,
    given: Given,
    own: Board | None = None,
    offered: OfferedPlayers | None = None,
) -> MatchForm:
    """Understand a form.

    Parameters
    ----------
    own
        The visitor's own board for the match.
    offered
        The players' files that may be chosen.

    Raises
    ------
    InvalidInput
        With the fault, in a sentence.
    """
    start, seed = read_start(declared, given, own)
    seats = start.seats
    names = [given.get(f"player{seat}") or usual_player(declared, seat) for seat in range(seats)]
    players = [
        _player(declared, name, given, seat, seats, offered) for seat, name in enumerate(names)
    ]
    check_seating(players, start)
    if ANYBODY in names and HUMAN not in names:
        raise InvalidInput(
            "you get the links for other people on your own seat: choose you for one of the players"
        )
    clock = given.get("clock", "").strip()
    return MatchForm(
        start,
        players,
        tuple(seat for seat, name in enumerate(names) if name == HUMAN),
        seed,
        Clock.parse(clock) if clock else None,
    )


def read_start(declared: Declaration, given: Given, own: Board | None) -> tuple[Position, int]:
    """Return the start of a form, and its seed, which may be drawn.

    Raises
    ------
    InvalidInput
        With the fault, in a sentence.
    """
    seats = whole(given, "seats", usual_seats(declared), *seats_of(declared))
    seed = whole(given, "seed", secrets.randbelow(10**6), 0, 2**53)
    values = options(declared, given)
    if own is not None:
        values[str(option_of(declared))] = own
    start = load(declared).position(seats=seats, seed=seed, **values)
    check_size(start)
    return start, seed


def check_size(start: Position) -> None:
    """Raise InvalidInput if a board is too large for a page."""
    if start.board.n > limits.VERTICES:
        raise InvalidInput(
            f"a board of {start.board.n} cells is too large for a page, which takes "
            f"{limits.VERTICES}"
        )


def is_small(declared: Declaration, given: Given, own: Board | None) -> bool:
    """Tell whether the board of a form can be drawn at once; raise InvalidInput for wrong sides."""
    if own is not None:
        return own.n <= limits.PREVIEWED
    for option in declared.options:
        if isinstance(option.type, BoardType) and f"{option.name}.width" in given:
            width, height = _sides(option, given)
            return int(width) * int(height or width) <= limits.PREVIEWED
    return True


def options(declared: Declaration, given: Given) -> dict[str, Any]:
    """Return the options in a form, as texts and truth values."""
    values: dict[str, Any] = {}
    for option in declared.options:
        name, kind = option.name, option.type
        if isinstance(kind, Flag):
            text = given.get(name, "").strip()  # an unchecked box is not sent
            values[name] = bool(text) and declared.parsed(option, text)
            continue
        text = chosen(option, given)
        if not text:
            continue
        if isinstance(kind, BoardType):
            if OWN not in given:
                values[name] = _board(option, text, given)
        elif kind.reads(text):
            raise InvalidInput(f"{declared.name}: {name} must be {kind.expected}; no file here")
        else:
            values[name] = declared.parsed(option, text)
    return values


def _board(option: Option, family: str, given: Given) -> str:
    """Return a board's name from its family and its sides."""
    kind, name = option.type, option.name
    assert isinstance(kind, BoardType)
    if not kind.takes(family):
        raise InvalidInput(f"{name}: there is no family {family[:40]!r} here")
    return f"{family}:{'x'.join(filter(None, _sides(option, given)))}"


def _sides(option: Option, given: Given) -> list[str]:
    """Return the width and the height of a board, whole numbers as texts; the height may be empty.

    Raises
    ------
    InvalidInput
        If the width is missing, or a side is too long or no whole number.
    """
    sides = [given.get(f"{option.name}.{side}", "").strip() for side in ("width", "height")]
    if not sides[0]:
        raise InvalidInput(f"{option.name}: the width is missing")
    for side in filter(None, sides):
        if not SIZE.fullmatch(side) or not side.isdecimal() or not 1 <= int(side) <= limits.LENGTH:
            raise InvalidInput(f"{option.name}: sides are whole numbers from 1 to {limits.LENGTH}")
    return sides


def _player(
    declared: Declaration,
    name: str,
    given: Given,
    seat: int,
    seats: int,
    offered: OfferedPlayers | None,
) -> PlayerSpec:
    """Return the player of a seat: a person, or a player that the server knows."""
    if name in (HUMAN, ANYBODY):
        return parse_player(HUMAN, load(declared), seats)
    return known_player(declared, name, given, f"time{seat}", seats, offered)


def known_player(
    declared: Declaration,
    name: str,
    given: Given,
    time: str,
    seats: int,
    offered: OfferedPlayers | None = None,
) -> PlayerSpec:
    """Return a declared strategy, a measured level, or an offered file.

    Parameters
    ----------
    time
        The name of the field with its search time.
    offered
        The players' files that may be chosen.
    """
    game = load(declared)
    if offered is not None and name.startswith(OFFERED):
        return offered.player(name, game)
    for level in levels_of(declared):
        if name == level.choice:
            return replace(parse_player(level.player, game, seats), level=level.number)
        if name == level.player:  # its name in forms of tournaments
            return parse_player(name, game, seats)
    if name not in game.strategies or not game.strategies[name].plays_alone():
        raise InvalidInput(f"{declared.name}: there is no strategy {name[:40]!r} on pages")
    if not has_time(game.strategies[name]):
        return parse_player(name, game, seats)
    seconds = _number(given, time, 0.01, limits.SECONDS, usual=float(USUAL_TIME))
    return parse_player(f"{name}:{TIME}={seconds:g}", game, seats)


def whole(given: Given, name: str, usual: int, low: int, high: int) -> int:
    """Return a whole number of a form; raise InvalidInput if it is not one, or out of bounds."""
    text = given.get(name, "").strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and low <= int(text) <= high):
        raise InvalidInput(f"{name} must be a whole number from {low} to {high}")
    return int(text)


def pause_of(given: Given) -> float:
    """Return the seconds between two moves that spectators see; InvalidInput if out of bounds."""
    return _number(given, "pause", 0.0, limits.PAUSE)


def _number(given: Given, name: str, low: float, high: float, usual: float = 0.0) -> float:
    text = given.get(name, "").strip()
    if not text:
        return usual
    number = float(text) if DECIMAL.fullmatch(text) else -1.0
    if not low <= number <= high:
        raise InvalidInput(f"{name.rstrip('0123456789')} must be from {low:g} to {high:g} seconds")
    return number


Given = Mapping[str, str]
"""The content of a form: texts by the names of its fields."""

OTHER = "other"
"""The choice of another text than the words: a separate field has the text."""


@dataclass(frozen=True)
class FormField:
    """A field with one choice.

    Attributes
    ----------
    kind
        ``board``, ``number``, ``word``, ``choice`` (a word, or another text), ``flag`` or ``text``.
    label
        The label of the choice.
    words
        The words to choose from, each with its name; for a text they are only proposals.
    other
        The text of a ``choice`` that is not one of the words.
    sizes
        Common widths of a ``board``.
    phone
        The first width of a ``board`` on a phone; 0: as elsewhere, or chosen already.
    only_with
        The name and the value of the field that this one depends on.
    rare
        Whether the choice is rarely used.
    idle
        Whether it has no effect now, because of the value of the field that it depends on.
    """

    name: str
    kind: str
    value: str
    label: str
    summary: str
    rare: bool = False
    idle: bool = False
    words: Mapping[str, str] = field(default_factory=dict)
    low: int = 0
    high: int = 0
    only_with: tuple[str, str] | None = None
    size: tuple[str, str] = ("", "")
    other: str = ""
    sizes: tuple[int, ...] = ()
    phone: int = 0

    def follows(self, other: FormField) -> bool:
        """Tell whether it is used only with one value of another field."""
        return self.only_with is not None and self.only_with[0] == other.name


def fields(declared: Declaration, given: Given) -> list[FormField]:
    """Return the fields of a game's options, with the values given or else the defaults.

    A field that depends on another one follows it.
    """
    every = [_field(option, given) for option in declared.options]
    values = {one.name: one.value for one in every}
    every = [
        replace(
            one, idle=one.only_with is not None and values[one.only_with[0]] != one.only_with[1]
        )
        for one in every
    ]

    def with_followers(one: FormField) -> list[FormField]:
        following = [with_followers(each) for each in every if each.follows(one)]
        return [one, *itertools.chain.from_iterable(following)]

    own = [each for each in every if each.only_with is None]
    return [each for one in own for each in with_followers(one)]


def untouched(declared: Declaration) -> dict[str, str]:
    """Return the unchanged form of a game: the usual game.

    The visitor plays first, against a level of middle strength.
    """
    sent = {f"player{seat}": usual_player(declared, seat) for seat in range(usual_seats(declared))}
    for one in fields(declared, {}):
        if one.only_with is not None and sent.get(one.only_with[0]) != one.only_with[1]:
            continue
        sent |= {one.name: one.value, f"{one.name}.{OTHER}": one.other}
        sent |= dict(zip((f"{one.name}.width", f"{one.name}.height"), one.size, strict=True))
    return {name: value for name, value in sent.items() if value}


def chosen(option: Option, given: Given) -> str:
    """Return the text of an option in a form; empty if there is none."""
    text = given.get(option.name, "").strip()
    if option.form.others and text == OTHER:
        return given.get(f"{option.name}.{OTHER}", "").strip()
    return text


def _field(option: Option, given: Given) -> FormField:
    kind, name, form = option.type, option.name, option.form
    default = form.value or ("" if option.default is None else str(option.default))
    value = given.get(name, default)
    only = None if option.only_with is None else (option.only_with[0], str(option.only_with[1]))
    make = partial(
        FormField,
        name=name,
        label=form.label or name.capitalize(),
        summary=form.summary or option.summary,
        rare=form.rare,
        only_with=only,
    )
    if isinstance(kind, BoardType):
        family, _, size = default.partition(":")
        family = given.get(name, family)
        width, _, height = size.partition("x")
        size_given = given.get(f"{name}.width", width), given.get(f"{name}.height", height)
        return make(
            kind="board",
            value=family,
            summary=form.summary,
            words={each: family_called(each) for each in kind.offered},
            size=size_given,
            sizes=form.sizes,
            phone=0 if f"{name}.width" in given else form.phone,
        )
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
