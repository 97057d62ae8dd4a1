"""The starts for the check of a player, made from the declaration of its game."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
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
    declared = game.declaration
    library = spec.kind == "library"
    laid_down = dict(declared.with_libraries or {}) if library else {}
    always = {name: _text(value) for name, value in laid_down.items()}
    found: dict[tuple[Any, ...], Case] = {}
    samples = [sample_options(game, sample) for sample in game.samples()]
    low, high = declared.seats
    for trial in declared.trials:
        options = {name: text for name, text in trial.items() if name != SEATS}
        seats = int(trial.get(SEATS, max(2, low)))
        case = _playable(Case(game, {**always, **options}, seats, declared=True), spec)
        if case is not None:
            found.setdefault((case.words, seats), case)
    for ways, seats in _wished(game, samples):
        for options in ways if low <= seats <= high else ():
            wished = Case(game, {**always, **options}, seats, sample=options in samples)
            case = _playable(wished, spec)
            if case is not None:
                found.setdefault((case.words, seats), case)
                break
    return sorted(found.values(), key=lambda case: (case.size, case.seats))


def _wished(
    game: AnyGame, samples: Sequence[dict[str, str]]
) -> Iterator[tuple[tuple[dict[str, str], ...], int]]:
    """Yield lists of options, of which the first possible ones are used, and numbers of seats."""
    usual = max(2, game.declaration.seats[0])
    for base in samples:
        for seats in range(1, MOST_SEATS + 1):
            yield (base,), seats
        for option in game.declaration.options:
            needed = {} if option.only_with is None else {option.only_with[0]: option.only_with[1]}
            for text in option.type.trials:
                own = {**needed, option.name: text}
                yield ({**base, **own}, own), usual
    yield ({},), usual


def _playable(case: Case, spec: PlayerSpec) -> Case | None:
    """Return a case with its size; None if the game has no such start for this player."""
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
