"""Direct calls: the machine code of rules for one Setup, without finding types at each call.

From Python, Numba finds the type of every field of a Setup at each call, which takes longer than
most rules. Who always hands over the same Setup object, and arrays of the same types, needs that
only once. Machine code checks nothing: with another Setup it reads memory that is none of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ludograph.rules.arrays import copy
from ludograph.rules.compilation import are_interpreted, compiled, holders
from ludograph.rules.contract import info, legal_moves, play
from ludograph.rules.layout import TURN, Moves, Setup, State
from ludograph.rules.observer import Observer

ILLEGAL = -3
"""The answer of :func:`take_turn` to a move that is not legal: the turn of no state."""

LIST = -(2**32)
"""In place of a move, whose code has 32 bits: list the legal moves only."""

UNCHECKED = np.empty(0, np.int32)
"""In place of a list of legal moves: the move is known to be legal."""


def empty_list(setup: Setup) -> Moves:
    """Return the array in which :func:`list_legal` keeps the list of a state; it has none yet.

    Where there can be more moves than numbers in a state, to compare states is faster than to list
    moves again: behind the moves then stand the state in which they are legal, and their number.
    """
    sizes = info(setup)
    known = sizes.state_size + 1 if sizes.move_capacity > sizes.state_size else 0
    return np.full(sizes.move_capacity + known, ILLEGAL, np.int32)


@compiled(inlined=True)
def list_legal(setup: Setup, state: State, codes: Moves) -> int:
    """Return the number of legal moves; list them if the list in `codes` is of another state.

    Parameters
    ----------
    codes
        Made by :func:`empty_list`; may hold the list of any state.
    """
    if codes.size <= state.size:
        return legal_moves(setup, state, codes)
    last, differences = codes.size - 1, 0
    moves, known = codes[: last - state.size], codes[last - state.size : last]
    for slot in range(state.size):
        differences |= state[slot] ^ known[slot]
    if differences != 0:
        codes[last] = legal_moves(setup, state, moves)
        copy(state, known)
    return codes[last]


@compiled
def take_turn(setup: Setup, state: State, move: int, codes: Moves) -> int:
    """Play a move if it is legal; return ``state[TURN]`` before it, otherwise ``ILLEGAL``.

    One kernel lists, checks and plays for Python: each entry is compiled with all that it calls.

    Parameters
    ----------
    move
        Or ``LIST``: then nothing is played, and the number of legal moves is returned.
    codes
        Becomes the legal moves before it, see :func:`list_legal`; or ``UNCHECKED``.
    """
    if codes.size > 0:
        count, place = list_legal(setup, state, codes), 0
        if move == LIST:
            return count
        while place < count and codes[place] != move:
            place += 1
        if place == count:
            return ILLEGAL
    turn = state[TURN]
    play(setup, state, move)
    return turn


@compiled
def replay(setup: Setup, before: State, moves: Moves, after: State, codes: Moves) -> bool:
    """Play moves, one at least, if all are legal; tell whether they are.

    Parameters
    ----------
    before
        The state at which they begin; becomes the one before the last move.
    after
        Becomes the one after it.
    """
    last = moves.size - 1
    for place in range(last):
        if take_turn(setup, before, moves[place], codes) == ILLEGAL:
            return False
    copy(before, after)
    return take_turn(setup, after, moves[last], codes) != ILLEGAL


Code: TypeAlias = Callable[..., Any]


class DirectRules:
    """The machine code of some rules for one Setup object.

    Attributes
    ----------
    key, look, take_turn
        None before the first call, which :meth:`first` makes; later the machine code.
    blank
        An observation of one game before it is written; None before the first.
    """

    __slots__ = ("__weakref__", "blank", "key", "look", "take_turn")

    def __init__(self) -> None:
        self.blank: Observer | None = None
        self.forget()
        holders.add(self)

    def forget(self) -> None:
        """Drop the machine code: the next calls go through the rules again."""
        self.key: Code | None = None
        self.look: Code | None = None
        self.take_turn: Code | None = None

    def first(self, rule: Any) -> Code:
        """Return a function that calls a rule, and stores its machine code for later calls."""

        def call(*args: Any) -> Any:
            answer = rule(*args)
            if not are_interpreted():
                setattr(self, rule.__name__, rule.code_for(*args))
            return answer

        return call
