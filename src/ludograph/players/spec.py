"""Names of players: ``mcts:time=1``, ``human``, ``bot.py:Me``, ``./p.c``, ``cmd: ./p``."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ludograph.errors import InvalidInput
from ludograph.formatting import NAME_LIMIT as SHOWN_LIMIT
from ludograph.formatting import one_line
from ludograph.games.declaration import Declaration
from ludograph.games.registry import is_by_path
from ludograph.players.c_sources import included
from ludograph.players.parameters import declared_in, missing_entry

if TYPE_CHECKING:
    from ludograph.games import AnyGame

Kind = Literal["strategy", "human", "python", "library", "htp", "cmd", "build"]
"""Kinds of players; ``build`` is that of a compiler, which has a host like theirs."""

PROGRAMS: Mapping[Kind, str] = {
    "cmd": "'cmd: ./engine --flag'",
    "htp": "'htp: mohex'",
}
"""Kinds of players that are programs, each with an example; a name begins with the kind and ``:``.

``cmd`` is Ludograph's own protocol, which all games speak."""

HUMAN = "human"
"""The name of a person as a player."""

NAME_LIMIT = 200

APART = re.compile(r""";(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""")
"""The separator of a program and the commands that set it up: a semicolon outside of quotes."""

REFEREES = ("boardsize", "clear_board", "play", "genmove", "undo", "quit", "set_to_move")
"""Commands that would change the game."""

FILE = re.compile(
    r"(?P<path>.+?\.(?P<suffix>py|c|so(?:\.[0-9]+)*))"
    r"(?::(?P<entry>[^:=]*))?(?::(?P<options>.*))?"
)
"""A player's file, with the class or function in it and the parameters of the class.

A C player is a source, or a library, which may have versions: ``p.so.1``."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A parsed name of a player.

    Attributes
    ----------
    text
        The text as written: the player's identity in records.
    target
        The strategy's name, the file's path, or a program's command line; for a person ``human``.
    options
        The options of a strategy, or the parameters of a Python player's class, as texts.
    entry
        The class or function in a Python file; empty for the only one.
    known_as
        Its name if its files have been copied to another place.
    library
        The path of the library compiled from a C source; empty for other players, and before the
        compilation.
    commands
        The commands that set up a program with a protocol of commands, sent first.
    data_files
        The options of a strategy that are paths of files.
    level
        The number of its level on a page, from 1; 0 if it was chosen by its name.
    """

    text: str
    kind: Kind
    target: str
    options: dict[str, str] = field(default_factory=dict)
    entry: str = ""
    known_as: str = ""
    commands: tuple[str, ...] = ()
    library: str = ""
    data_files: tuple[str, ...] = ()
    level: int = 0

    @property
    def is_source(self) -> bool:
        """Whether it is a C source, which is compiled before it plays."""
        return self.kind == "library" and self.target.endswith(".c")

    @property
    def loaded_file(self) -> str:
        """The file that its process loads: the library of a C source, else the target."""
        return self.library or self.target

    @property
    def files(self) -> list[str]:
        """Its files: for a C source with the included ones; for a program those of its command.

        For a strategy they are those in its options.

        Raises
        ------
        InvalidInput
            If a C source and its included files are too large.
        OSError
            If a C source cannot be read.
        """
        if self.is_source:
            beside = os.path.dirname(self.target)
            return [os.path.join(beside, name) for name in included(Path(self.target))]
        if self.kind in ("python", "library"):
            return [self.target]
        if self.kind not in PROGRAMS:
            return [self.options[name] for name in self.data_files]
        return [word for word in shlex.split(self.target) if os.path.isfile(word)]

    @property
    def label(self) -> str:
        """A short name for texts."""
        if self.known_as:
            return self.known_as
        if self.kind in PROGRAMS:
            program, *arguments = shlex.split(self.target)
            return one_line("; ".join([" ".join([Path(program).name, *arguments]), *self.commands]))
        return file_label(Path(self.target).name, self.behind)

    @property
    def behind(self) -> str:
        """The rest of the name after the file: the entry and the parameters."""
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return behind_file(self.entry, options)


def preparation(game: str, players: Iterable[object]) -> str:
    """Return the title of what a match compiles: its game, and the strategies that play it."""
    specs = [each for each in players if isinstance(each, PlayerSpec)]
    names = dict.fromkeys(spec.target for spec in specs if spec.kind == "strategy")
    searching = [name for name in names if name != "random"]
    return f"{' and '.join(searching)} for {game}" if searching else game


def behind_file(entry: str | None, options: str | None) -> str:
    """Return the rest of a player's name after the file.

    Examples
    --------
    >>> behind_file("Mcts", "c=0.5")
    ':Mcts:c=0.5'
    """
    return "".join(f":{part}" for part in (entry, options) if part)


def file_label(path: str, behind: str) -> str:
    """Return a short name for a player in a file, with enough room for its settings."""
    return one_line(path + behind, NAME_LIMIT if "=" in behind else SHOWN_LIMIT)


def parse_player(text: str, game: AnyGame, seats: int | None = None) -> PlayerSpec:
    """Parse a player's name.

    Parameters
    ----------
    game
        The game with the strategies.
    seats
        The number of seats that the player's game will have, if known.

    Raises
    ------
    InvalidInput
        If it is no strategy of the game, an option is wrong, or a file does not exist.
    """
    check_name(text, game.declaration)
    if text == HUMAN:
        return PlayerSpec(text, "human", HUMAN)
    kind = program_kind(text)
    if kind is not None:
        line, commands = program_line(text, kind)
        return PlayerSpec(text, kind, line, commands=commands)
    file = FILE.fullmatch(text)
    if file:
        return _file_spec(text, file, game)
    return _strategy_spec(text, game, seats)


def check_name(text: str, declared: Declaration) -> None:
    """Raise InvalidInput if a name is wrong, as far as this is visible without the game's rules."""
    if not text.strip():
        raise InvalidInput("a player's name is empty")
    if len(text) > 4 * NAME_LIMIT:
        raise InvalidInput(f"a player's name has {len(text)} characters: {text[:40]!r}...")
    if not text.isprintable():
        raise InvalidInput(f"a player's name has characters that cannot be printed: {text[:40]!a}")
    kind, file = program_kind(text), FILE.fullmatch(text)
    if text == HUMAN:
        return
    if kind is not None:
        _check_program(text, kind, declared)
    elif file:
        if is_by_path(declared.name):
            raise InvalidInput(f"player {text!r}: install {declared.name} to play with files")
        _check_file(text, file["path"])
    elif is_file_name(text, declared.strategies):
        path = text if "/" in text else f"./{text}"
        example = f"'cmd: {path}'" if os.access(path, os.X_OK) else PROGRAMS["cmd"]
        raise InvalidInput(
            f"player {text!r}: a player's file is a .py, .c or .so file; write programs after "
            f"cmd:, as in {example}"
        )
    elif declared.strategies is not None:
        declared.check_strategy(text.partition(":")[0], declared.strategies, (HUMAN,))


def is_file_name(text: str, strategies: Collection[str] | None) -> bool:
    """Tell whether a name that is no player's file is meant as a file, and not as a strategy.

    Examples
    --------
    >>> is_file_name("my_bot.sh", ["mcts"]), is_file_name("mcts.sims=9", ["mcts"])
    (True, False)
    """
    name = re.split("[:=]", text)[0]
    if strategies is None:  # they are not known yet
        return "/" in name or "." in name
    if name in strategies:
        return False
    is_named = "." in name and name.partition(".")[0] not in strategies
    return is_named or "/" in name or os.path.isfile(name)


def program_kind(text: str) -> Kind | None:
    """Return the kind of program of a name; None if it is no program."""
    return next((kind for kind in PROGRAMS if text.startswith(f"{kind}:")), None)


def program_line(text: str, kind: Kind) -> tuple[str, tuple[str, ...]]:
    """Return the command line in a program's name, and the commands after it that set it up.

    Examples
    --------
    >>> program_line("htp: mohex --seed 1; param_mohex max_time 1", "htp")
    ('mohex --seed 1', ('param_mohex max_time 1',))
    """
    line = text.removeprefix(f"{kind}:").strip()
    if kind != "htp":
        return line, ()
    parts = [part.strip() for part in APART.split(line)]
    return parts[0], tuple(part for part in parts[1:] if part)


def _check_file(text: str, path: str) -> None:
    if not os.path.isfile(path):  # False, too, for a text that is too long for a path
        what = "is not a file" if os.path.exists(path) else "does not exist"
        raise InvalidInput(f"player {text!r}: {path} {what}")


def _file_spec(text: str, file: re.Match[str], game: AnyGame) -> PlayerSpec:
    path, entry, written = file["path"], file["entry"], file["options"]
    if file["suffix"] != "py":
        if entry is not None or written is not None:
            raise InvalidInput(f"player {text!r}: a C player takes no options after its name")
        if game.interop.library is None:
            raise InvalidInput(f"player {text!r}: {game.name} has no C interface")
        return PlayerSpec(text, "library", path)
    if entry is not None and not entry.isidentifier():
        raise InvalidInput(f"player {text!r}: {entry!r} cannot be the name of a class or function")
    source = b"" if entry is None and written is None else Path(path).read_bytes()
    if entry and (missing := missing_entry(source, entry)) is not None:
        raise InvalidInput(f"player {text!r}: {missing}")
    declared = None if written is None else declared_in(source, entry or "")
    try:
        options = {} if written is None else _options(text, written)
    except InvalidInput as error:
        has = f"; {declared.name} has {declared}" if declared and declared.types else ""
        raise InvalidInput(f"{error}{has}") from None
    try:
        if declared is not None:
            declared.values(options)
    except InvalidInput as error:
        raise InvalidInput(f"player {text!r}: {error}") from None
    return PlayerSpec(text, "python", path, options, entry=entry or "")


def _check_program(text: str, kind: Kind, declared: Declaration) -> None:
    if kind != "cmd" and kind not in declared.speaks:
        raise InvalidInput(f"player {text!r}: no {kind.upper()} program plays {declared.name}")
    line, commands = program_line(text, kind)
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InvalidInput(f"player {text!r}: {error}") from None
    for command in commands:
        if command.split()[0] in REFEREES:
            raise InvalidInput(f"player {text!r}: only the referee sends {command.split()[0]}")
    if not words:
        raise InvalidInput(
            f"player {text!r}: write a program after {kind}:, as in {PROGRAMS[kind]}"
        )
    if shutil.which(words[0]) is None:
        raise InvalidInput(f"player {text!r}: there is no program {words[0]!r}")


def _options(text: str, written: str) -> dict[str, str]:
    """Return the options of a strategy, or the parameters of a class, as texts by name."""
    options: dict[str, str] = {}
    for part in written.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise InvalidInput(f"player {text!r}: options are name=value, got {part!r}")
        if key in options:
            raise InvalidInput(f"player {text!r}: option {key!r} is given twice")
        options[key] = value
    return options


def _strategy_spec(text: str, game: AnyGame, seats: int | None) -> PlayerSpec:
    name, _, rest = text.partition(":")
    strategy = game.strategy(name)
    options = _options(text, rest) if rest else {}
    values = strategy.values(options)
    low, high = strategy.seats
    if seats is not None and not low <= seats <= high:
        plural = "player" if high == 1 else "players"
        known = f"{low}" if low == high else f"{low} to {high}"
        raise InvalidInput(f"{name} plays games of {known} {plural}, this one has {seats}")
    if strategy.check is not None:
        strategy.check(game.name, values, seats)
    return PlayerSpec(text, "strategy", name, options, data_files=strategy.files(options))
