"""The player for one game, made from its name or from a Python object."""

from __future__ import annotations

import os
from collections.abc import Sequence
from inspect import isclass
from pathlib import Path

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.formatting import one_line
from ludograph.games import AnyGame, Position
from ludograph.hosting.dialogues import interface
from ludograph.hosting.foreign_player import ForeignPlayer
from ludograph.players.human import Front, HumanPlayer, LineInput
from ludograph.players.isolation import Isolation
from ludograph.players.protocol import ChoosingPlayer, Player, Playing, as_player, is_whole
from ludograph.players.spec import (
    FILE,
    PlayerSpec,
    behind_file,
    file_label,
    parse_player,
    program_kind,
)

IN_PROCESS = ("strategy", "human")
"""Kinds of players that can begin at any ply."""

NEED_HISTORY = ("htp", "cmd", "python")
"""Kinds that can do so if the earlier moves are known: they get them as an opening."""


def understand(
    player: PlayerSpec | str | Playing, game: AnyGame, seats: int
) -> PlayerSpec | Playing:
    """Return the spec of a player's name; objects and specs stay unchanged.

    Raises
    ------
    InvalidInput
        If the name is wrong.
    """
    return parse_player(player, game, seats) if isinstance(player, str) else player


def built(spec: PlayerSpec, game: AnyGame, isolation: Isolation | None) -> PlayerSpec:
    """Return a player that can be started: a C source gets its library, others stay unchanged.

    Raises
    ------
    InvalidInput
        If the source does not compile, see :mod:`ludograph.hosting.compiler`.
    """
    if not spec.is_source:
        return spec
    from ludograph.hosting.compiler import with_library  # only few players need it

    return with_library(spec, game, isolation)


def is_foreign(player: PlayerSpec | Playing) -> bool:
    """Tell whether a player runs in a process of its own."""
    return isinstance(player, PlayerSpec) and player.kind not in IN_PROCESS


def check_seating(
    players: Sequence[PlayerSpec | Playing], position: Position, opening: Sequence[int] = ()
) -> None:
    """Raise InvalidInput if the players cannot play the game that begins at a position.

    Parameters
    ----------
    opening
        Moves made there before a player is asked.

    Notes
    -----
    For example, C libraries may support fewer colors; a player in a process of its own must get the
    game from its start; and an object that stores a game's state has only one seat.
    """
    for seat, player in enumerate(players):
        if not isinstance(player, PlayerSpec):
            if is_whole(player) and not isclass(player):
                other = next(s for s, one in enumerate(players) if one is player)
                if other != seat:
                    raise InvalidInput(
                        f"one object sits on seats {other} and {seat}: give its class instead"
                    )
        elif player.kind not in IN_PROCESS and not can_join(player, position):
            raise InvalidInput(
                f"{player.label} cannot join a game at ply {position.ply}, only at its start"
            )
        if isinstance(player, PlayerSpec) and player.kind == "strategy":
            strategy = position.game.strategy(player.target)
            if strategy.check_start is not None:
                strategy.check_start(position, strategy.values(player.options))
        if isinstance(player, PlayerSpec) and player.kind in ("htp", "library"):
            programs = interface(player.kind, position.game)
            programs.check(position)
            known = (*position.history, *opening)
            if known:
                programs.check_opening(position, known)


def can_join(player: PlayerSpec, position: Position) -> bool:
    """Tell whether a player in a process of its own can begin here: it gets the moves so far."""
    if is_start(position):
        return True
    return player.kind in NEED_HISTORY and len(position.history) == position.ply


def is_start(position: Position) -> bool:
    """Tell whether no move has been played yet."""
    return bool(
        np.array_equal(
            position.state, Position(position.game, position.board, position.setup).state
        )
    )


def make_player(
    spec: PlayerSpec | str | Playing,
    game: AnyGame,
    seats: int,
    seed: int,
    front: Front | None = None,
    isolation: Isolation | None = None,
) -> Player:
    """Return a fresh player for one game.

    Parameters
    ----------
    spec
        A name, a parsed name, or a Python object, class or function that plays.
    seed
        For the player's own random choices.
    front
        The front end that asks a person; by default lines of text.
    isolation
        The isolation of a player in a process of its own.

    Raises
    ------
    InvalidInput
        If a name is wrong, or an object is no player.
    PlayerFault
        If a class cannot be instantiated.
    """
    known = understand(spec, game, seats)
    if not isinstance(known, PlayerSpec):
        return as_player(known)
    if known.kind == "strategy":
        return ChoosingPlayer(game.strategy(known.target).create(known.options, seed), trusted=True)
    if known.kind == "human":
        return HumanPlayer(front or LineInput(), seed)
    return ForeignPlayer(known, seed, isolation)


def labels(players: Sequence[PlayerSpec | str | Playing]) -> list[str]:
    """Return a short name for each of several players; different files have different names.

    Files of one name get enough of their folders to be different, as in ``teamA/player1.so``; a
    player given twice has the same name twice.

    Examples
    --------
    >>> labels(["a/lib/p.so", "b/lib/p.so", "greedy", "a/lib/p.so", "q.so"])
    ['a/lib/p.so', 'b/lib/p.so', 'greedy', 'a/lib/p.so', 'q.so']
    """
    names = [label(player) for player in players]
    files = [_file_of(player) for player in players]
    shown = list(names)
    for place, own in enumerate(files):
        others = {
            other
            for name, other in zip(names, files, strict=True)
            if name == names[place] and other is not None
        }
        if own is None or len(others) < 2:
            continue
        parts = own[0].parts
        depth = next(
            depth
            for depth in range(2, len(parts) + 1)
            if all(other == own or other[0].parts[-depth:] != parts[-depth:] for other in others)
        )
        path = "/".join(parts[-depth:]).replace("//", "/")
        shown[place] = file_label(path, own[1])
    return shown


def _file_of(player: PlayerSpec | str | Playing) -> tuple[Path, str] | None:
    """Return the file of a player, and the rest of its name."""
    if isinstance(player, PlayerSpec) and player.kind in ("python", "library"):
        return Path(os.path.abspath(player.target)), player.behind
    is_file = isinstance(player, str) and program_kind(player) is None
    found = FILE.fullmatch(str(player)) if is_file else None
    if found is None:
        return None
    return Path(os.path.abspath(found["path"])), behind_file(found["entry"], found["options"])


def label(player: PlayerSpec | str | Playing) -> str:
    """Return a short name for a player."""
    if isinstance(player, PlayerSpec):
        return player.label
    if isinstance(player, str):
        found = _file_of(player)
        return file_label("", player) if found is None else file_label(found[0].name, found[1])
    name = getattr(player, "name", None) or getattr(player, "__name__", None)
    return one_line(name) if isinstance(name, str) else type(player).__name__
