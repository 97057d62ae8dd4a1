"""Checks of what a Game adds to its rules: notation, the checked door, setups as data, scenes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, islice
from typing import Any

import msgspec

from ludograph import rules
from ludograph.boards import from_data, to_data
from ludograph.conformance.fault import require
from ludograph.conformance.rule_checks import check_rules
from ludograph.errors import IllegalMove
from ludograph.games import Position


def check_game(
    make: Callable[[int], Position], *, games: int = 5, seed: int = 0, interpreted: int = 1
) -> None:
    """Check a game and its rules on random games.

    Parameters
    ----------
    make
        Called with a seed; returns the start of a game.
    games, interpreted
        How many games to play, and how many of them as plain Python too.

    Raises
    ------
    ConformanceError
    """
    for number in range(games):
        position = make(seed + number)
        require(
            position == make(seed + number), f"seed {seed + number}: it gives two different setups"
        )
        check_rules(
            position.setup,
            games=1,
            seed=seed + number,
            interpreted=int(number < interpreted),
            search_setup=position.game.search_setup(position.setup),
        )
        check_described(position, seed + number)
        play_through_door(position.copy(), seed + number)


def check_described(position: Position, seed: int) -> None:
    """Check that a setup survives being written as JSON."""
    game = position.game
    text = msgspec.json.encode([game.describe(position), to_data(position.board)])
    description, board = msgspec.json.decode(text)
    restored = game.restore(from_data(board), description)
    require(restored == position, f"seed {seed}: describe and restore give another game")


def play_through_door(position: Position, seed: int) -> None:
    """Play a game by its texts, trying what is not legal at every ply."""
    rng = rules.random_state(seed, 5)
    while not position.is_over:
        at = f"seed {seed}, ply {position.ply}"
        moves = position.legal_moves()
        texts = [position.text(move) for move in moves]
        require(len(set(texts)) == len(texts), f"{at}: two moves have one text: {texts}")
        for move, text in zip(moves, texts, strict=True):
            require(position.parse(text) == move, f"{at}: {text!r} is not parsed back to {move}")
        refuse_illegal(position, moves, at)
        require(position.scene(), f"{at}: there is no scene")
        before = position.copy()
        choice = texts[int(rules.random_below(rng, len(texts)))]
        position.play(choice)
        require(position != before, f"{at}: playing {choice!r} changes nothing")
    outcome = position.outcome()
    require(outcome is not None, f"seed {seed}: a finished game has no outcome")
    names = [f"player {seat}" for seat in range(position.seats)]
    if outcome is not None:
        sentence = position.game.result(position, outcome, names)
        require(sentence.strip(), f"seed {seed}: the result is an empty sentence")
    refuse_illegal(position, [], f"seed {seed}, at the end")


def refuse_illegal(position: Position, moves: list[int], at: str) -> None:
    """Check that codes and texts that are not legal are refused, the board unchanged."""
    before = position.copy()
    tries: list[Any] = [-1, -2, 2**31 - 1, "", "no such move", "\x00", 0.0, True, False, None]
    legal = set(moves)
    beside = (code + step for code in moves[:8] for step in (-1, 1))
    below = range(max(moves, default=0) + 2)
    tries += islice((code for code in chain(beside, below) if code not in legal), 30)
    for wrong in tries:
        try:
            position.play(wrong)
        except IllegalMove as refusal:
            require(str(refusal).strip(), f"{at}: {wrong!r} is refused without a word")
        else:
            require(False, f"{at}: {wrong!r} was played, the legal moves are {moves}")
    require(position == before, f"{at}: refusing a move has changed the board")
