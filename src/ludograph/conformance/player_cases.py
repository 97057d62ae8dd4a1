"""The starts for the check of a player, made from the declaration of its game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.games import AnyGame, Position
from ludograph.games.options import Flag, Option, Whole, Word
from ludograph.players.spec import PlayerSpec
from ludograph.referee.player_factory import check_seating

MOST_SEATS = 3
"""The most seats tested: more than three show nothing new."""

BOARD, SEATS = "board", "seats"


@dataclass(frozen=True, eq=False)
class Case:
    """A start, by its options on the command line.

    Attributes
    ----------
    options
        Texts by the option's name.
    size
        The size of its board and of its states: small ones are easy to understand.
    sample
        Whether it is one of the game's own samples.
    declared
        Whether it is one of the game's ``Declaration.trials``, from which courses play.
    """

    game: AnyGame
    options: Mapping[str, str]
    seats: int
    size: int = 0
    sample: bool = False
    declared: bool = False

    def position(self, seed: int) -> Position:
        """Return the start for a seed; raise InvalidInput if there is none."""
        declared = self.game.declaration
        known = {option.name: option for option in declared.options}
        values = {name: declared.parsed(known[name], text) for name, text in self.options.items()}
        return self.game.position(seats=self.seats, seed=seed, **values)

    @property
    def words(self) -> str:
        """The options as words of a command line."""
        known = {option.name: option for option in self.game.declaration.options}
        return " ".join(
            word for name, text in self.options.items() for word in _words(known[name], text)
        )

    @property
    def traits(self) -> dict[str, str]:
        """Its traits for comparisons: its options, and the family of its board."""
        return {
            **{name: text.partition(":")[0] for name, text in self.options.items()},
            **{f"--{name}": "given" for name in self.chosen},
            "seats": str(self.seats),
        }

    @property
    def chosen(self) -> list[str]:
        """The options with other values than their defaults, without the board."""
        known = {option.name: option for option in self.game.declaration.options}
        return [
            name
            for name, text in self.options.items()
            if name != BOARD and text.lower() != _text(known[name].default).lower()
        ]


def _words(option: Option, text: str) -> list[str]:
    """Return an option as words; none for a flag with its default."""
    if not isinstance(option.type, Flag):
        return [f"--{option.name}", shlex.quote(text)]
    value = option.type.parse(text)
    if value == option.default:
        return []
    return [f"--{'' if value else 'no-'}{option.name}"]


def cases(game: AnyGame, spec: PlayerSpec) -> list[Case]:
    """Return all starts that a player of this kind can play from, the small ones first."""
    library = spec.kind == "library"
    laid_down = dict(game.declaration.with_libraries or {}) if library else {}
    always = {name: _text(value) for name, value in laid_down.items()}
    found: dict[tuple[Any, ...], Case] = {}
    for ways in _wished(game):
        case = next(filter(None, (_playable(way, always, spec) for way in ways)), None)
        if case is not None:
            found.setdefault((case.words, case.seats), case)
    return sorted(found.values(), key=lambda case: (case.size, case.seats))


def _wished(game: AnyGame) -> Iterator[tuple[Case, ...]]:
    """Yield lists of cases, of which the first possible one is used."""
    usual = max(2, game.declaration.seats[0])
    for trial in game.declaration.trials:
        options = {name: text for name, text in trial.items() if name != SEATS}
        yield (Case(game, options, int(trial.get(SEATS, usual)), declared=True),)
    samples = [sample_options(game, sample) for sample in game.samples()]
    for base in samples:
        for seats in range(1, MOST_SEATS + 1):
            yield (Case(game, base, seats, sample=True),)
        for option in game.declaration.options:
            for text in option.type.trials:
                own = {**dict([option.only_with] if option.only_with else []), option.name: text}
                ways = ({**base, **own}, own)
                yield tuple(Case(game, way, usual, sample=way in samples) for way in ways)
    yield (Case(game, {}, usual, sample={} in samples),)


def _playable(case: Case, always: Mapping[str, str], spec: PlayerSpec) -> Case | None:
    """Return a case with its size; None if the game has no such start for this player."""
    case = replace(case, options={**always, **case.options})
    try:
        position = case.position(0)
        check_seating([spec] * case.seats, position)
    except InvalidInput:
        return None
    return replace(case, size=position.board.n + len(position.state))


def sample_options(game: AnyGame, sample: Position) -> dict[str, str]:
    """Return the options of a sample as texts, as far as there are texts for them."""
    values = game.values_of(sample)
    found: dict[str, str] = {}
    for option in game.declaration.options:
        if option.name == BOARD:
            text = sample.board.name.replace(" ", ":")
            if _is_board(option, text, sample):
                found[BOARD] = text
        elif isinstance(option.type, Whole | Word | Flag):
            value = values.get(option.name, option.default)
            if value != option.default:
                found[option.name] = _text(value)
    return found


def _is_board(option: Option, text: str, sample: Position) -> bool:
    try:
        return bool(option.type.parse(text).n == sample.board.n)
    except Exception:  # noqa: BLE001  (any kind's way to say no)
        return False


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
