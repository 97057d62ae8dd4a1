"""A server of HTP: its frames, which are those of GTP version 2, and the commands of any engine.

A command is a line, ``[id] name arguments``; a response is ``=[id] text`` or ``?[id] message``,
ended by an empty line. Nothing else is ever written to standard output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from inspect import signature
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TextIO

from ludograph.errors import InvalidInput
from ludograph.games.interop import Engine, Refused
from ludograph.games.registry import declaration, load, names
from ludograph.players.spec import PlayerSpec, parse_player
from ludograph.version import VERSION

if TYPE_CHECKING:
    from ludograph.games.game import AnyGame

PROTOCOL, PROTOCOL_VERSION = "htp", "2"

LONGEST = 1 << 12
"""The most bytes of a line; the rest is cut off."""

_IGNORED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ID = re.compile(r"([0-9]{1,10})(?:\s+|$)")


class HtpCommand(NamedTuple):
    """A command, taken apart; its ``number`` is empty if it has none."""

    number: str
    name: str
    arguments: list[str]


def strategy_spec(text: str) -> PlayerSpec:
    """Parse the name of a built-in strategy of the game with an engine, such as ``mcts:time=1``.

    Raises
    ------
    InvalidInput
        If there is none.
    """
    spec = parse_player(text, engine_game(), 2)
    if spec.kind != "strategy":
        raise InvalidInput(f"--strategy must be a built-in strategy, got {spec.label!r}")
    return spec


def engine_game() -> AnyGame:
    """Return the first game that programs with HTP play: it has an engine for them."""
    return next(load(one) for one in map(declaration, names()) if PROTOCOL in one.speaks)


def engine_of(spec: PlayerSpec, *, size: int = 11, pie: bool = True, seed: int = 0) -> Engine:
    """Return an engine with a built-in strategy.

    Parameters
    ----------
    size
        The size of the first board.
    pie
        Whether it may answer the first stone with ``swap-pieces``.
    """
    game = engine_game()
    strategy = game.strategy(spec.target)
    return game.interop.engines[PROTOCOL](
        lambda: strategy.create(spec.options, seed), size=size, pie=pie
    )


class HtpServer:
    """Answers the commands of a front end or a referee to an engine, one by one."""

    def __init__(self, engine: Engine) -> None:
        self.running = True
        self.commands: dict[str, Callable[..., str]] = {
            "name": lambda: "Ludograph",
            "version": lambda: VERSION,
            "protocol_version": lambda: PROTOCOL_VERSION,
            "list_commands": lambda: "\n".join(sorted(self.commands)),
            "known_command": lambda name: "true" if name in self.commands else "false",
            "quit": self.quit,
            **engine.commands,
        }

    def quit(self) -> str:
        """End."""
        self.running = False
        return ""

    def serve(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer commands until ``quit`` or the end of the input."""
        for line in lines:
            command = parse_command(line)
            if command is not None:
                out.write(self.answer(command))
                out.flush()
            if not self.running:
                return

    def answer(self, command: HtpCommand) -> str:
        """Return the response to a command."""
        number, name, arguments = command
        if name not in self.commands:
            return failure(number, "unknown command")
        function = self.commands[name]
        try:
            signature(function).bind(*arguments)
        except TypeError:
            return failure(number, "syntax error: wrong number of arguments")
        try:
            return success(number, function(*arguments))
        except Refused as error:
            return failure(number, str(error))


def read_lines(source: BinaryIO) -> Iterator[str]:
    r"""Read lines until the input ends; invalid UTF-8 is replaced, and long lines are cut.

    Examples
    --------
    >>> import io
    >>> list(read_lines(io.BytesIO(b"name\\nqu\\xffit")))
    ['name\\n', 'qu\ufffdit']
    """
    while line := source.readline(LONGEST):
        rest = line
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST)
        yield line.decode("utf-8", "replace")


def parse_command(line: str) -> HtpCommand | None:
    r"""Parse a line; None for one that is empty or a comment.

    Examples
    --------
    >>> parse_command("12 play  black\\ta1 # the corner\\n")
    Command(number='12', name='play', arguments=['black', 'a1'])
    >>> parse_command("# nothing") is None
    True
    """
    text = _IGNORED.sub("", line).partition("#")[0].strip()
    found = _ID.match(text)
    number = found[1] if found else ""
    words = text[found.end() if found else 0 :].split()
    if not words:
        return None if not number else HtpCommand(number, "", [])
    return HtpCommand(number, words[0], words[1:])


def success(number: str, text: str) -> str:
    """Return the response to a successful command."""
    return f"={number}{_body(text)}\n\n"


def failure(number: str, message: str) -> str:
    """Return the response to a failed command."""
    return f"?{number}{_body(message)}\n\n"


def _body(text: str) -> str:
    """Return the text after the status, without empty lines, which would end the response.

    A text that begins with a line feed begins on a line of its own.
    """
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    first = "\n" if text.startswith("\n") else " " if lines else ""
    return first + "\n".join(lines)
