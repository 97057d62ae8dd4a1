"""The prior probability of each move, by the strengths of its features; O(board)."""

from __future__ import annotations

from ludograph.games.hex.patterns.features import PLACES, REACH, RING, WINDOW, phase_of
from ludograph.games.hex.patterns.strengths import Patterns
from ludograph.games.hex.rules import CELLS, LAST, SWAPPED, Index
from ludograph.games.hex.setup import BLACK, HexSetup
from ludograph.rules import TURN, Moves, Scores, State, compiled


@compiled
def write_priors(
    setup: HexSetup, knowledge: Patterns, state: State, moves: Moves, out: Scores
) -> None:
    """Write the prior probability of each move."""
    color = state[TURN] ^ state[SWAPPED]
    look_around(setup, knowledge, state, color)
    gammas = knowledge.gammas
    depths = gammas.depths[phase_of(setup, state)]
    for index in range(moves.size):
        move = Index(moves[index])
        code = Index(knowledge.codes[Index(knowledge.grid_of[move])])
        depth = Index(knowledge.depths[Index(color), move])
        out[index] = gammas.wholes[code] * depths[depth]
    if state[LAST] >= 0:
        favor_answers(setup, knowledge, state, color, moves, out)
    total = 0.0
    for index in range(moves.size):
        total += out[index]
    for index in range(moves.size):
        out[index] /= total


@compiled
def look_around(setup: HexSetup, patterns: Patterns, state: State, color: int) -> None:
    """Write the code of the twelve places around each cell, for the color to move.

    The outer loop is over the places and the inner one over the grid, so that the compiler handles
    several cells in one step.
    """
    digits = patterns.digits[color]
    cells = Index(CELLS)
    for index in range(setup.free.size):
        vertex = Index(setup.free[index])
        cell = state[cells + vertex]
        digit = -cell if color == BLACK else 3 + cell
        digits[Index(patterns.grid_of[vertex])] = digit if cell < 0 else 0
    codes = patterns.codes
    first = patterns.grid_of[setup.free[0]]
    last = patterns.grid_of[setup.free[setup.free.size - 1]] + 1
    codes[first:last] = 0
    power = 1
    for place in range(PLACES):
        offset = patterns.offsets[color, place]
        there = digits[first + offset : last + offset]
        here = codes[first:last]
        for index in range(last - first):
            here[index] += power * there[index]
        power *= 3


@compiled
def favor_answers(
    setup: HexSetup, patterns: Patterns, state: State, color: int, moves: Moves, out: Scores
) -> None:
    """Multiply the strengths of moves near the last move by that of its place."""
    columns = setup.columns
    gammas = patterns.gammas
    row, column = state[LAST] // columns, state[LAST] % columns
    center = patterns.grid_of[state[LAST]]
    for index in range(moves.size):
        down = row - moves[index] // columns + REACH
        right = column - moves[index] % columns + REACH
        if 0 <= down < WINDOW and 0 <= right < WINDOW:
            here = patterns.grid_of[moves[index]]
            near = -1
            for place in range(PLACES):
                if here + patterns.offsets[color, place] == center:
                    near = place
            if near >= 0:
                out[index] *= gammas.locals[patterns.codes[here] % RING, near]
            elif color == BLACK:
                out[index] *= gammas.windows[down, right]
            else:
                out[index] *= gammas.windows[right, down]
