"""Direct calls: the machine code of rules for one Setup, without finding types at each call.

From Python, Numba finds the type of every field of a Setup at each call, which takes longer than
most rules. Who always hands over the same Setup object, and arrays of the same types, needs that
only once. Machine code checks nothing: with another Setup it reads memory that is none of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ludograph.rules.arrays import copy
from ludograph.rules.compilation import are_interpreted, compiled, holders
from ludograph.rules.contract import legal_moves, play
from ludograph.rules.layout import TURN, Moves, Setup, State
from ludograph.rules.observer import Observer

ILLEGAL = -3
"""The answer of :func:`play_legal` to a move that is not legal."""


@compiled
def play_legal(setup: Setup, state: State, move: int, codes: Moves) -> int:
    """Play a move if it is legal; return ``state[TURN]`` before it, otherwise ``ILLEGAL``.

    Parameters
    ----------
    codes
        Becomes the legal moves before it.
    """
    for place in range(legal_moves(setup, state, codes)):
        if codes[place] == move:
            turn = state[TURN]
            play(setup, state, move)
            return turn
    return ILLEGAL


@compiled
def replay(setup: Setup, before: State, moves: Moves, after: State, codes: Moves) -> bool:
    """Play moves if all are legal, all but the last on one state; tell whether they are.

    Parameters
    ----------
    before
        The state at which they begin; becomes the one before the last move.
    after
        Becomes the one after it.
    """
    for place in range(moves.size):
        copy(before, after)
        if play_legal(setup, after, moves[place], codes) == ILLEGAL:
            return False
        if place < moves.size - 1:
            copy(after, before)
    return True


Code: TypeAlias = Callable[..., Any]


class DirectRules:
    """The machine code of some rules for one Setup object.

    Attributes
    ----------
    key, legal_moves, look, play, play_legal
        None before the first call, which :meth:`first` makes; later the machine code.
    blank
        An observation of one game before it is written; None before the first.
    """

    __slots__ = ("__weakref__", "blank", "key", "legal_moves", "look", "play", "play_legal")

    def __init__(self) -> None:
        self.blank: Observer | None = None
        self.forget()
        holders.add(self)

    def forget(self) -> None:
        """Drop the machine code: the next calls go through the rules again."""
        self.key: Code | None = None
        self.legal_moves: Code | None = None
        self.look: Code | None = None
        self.play: Code | None = None
        self.play_legal: Code | None = None

    def first(self, rule: Any) -> Code:
        """Return a function that calls a rule, and stores its machine code for later calls."""

        def call(*args: Any) -> Any:
            answer = rule(*args)
            if not are_interpreted():
                setattr(self, rule.__name__, rule.code_for(*args))
            return answer

        return call
