"""Exact solving of games for two seats without chance: win, draw or loss with best play."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import numpy as np

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.rules import OVER, TURN, Setup, State, random_state
from ludograph.rules.answers import moves_at, play_at
from ludograph.search.pacing import chunks, deadline_after
from ludograph.search.proof.game import Question, make_table
from ludograph.search.proof.search import prove
from ludograph.search.proof.stack import DONE, begin, make_proof_stack
from ludograph.search.searched import ShownResult
from ludograph.search.values import margin

WIN = 1
"""The seat to move wins with best play."""

DRAW = 0
"""Neither seat can win against best play."""

LOSS = -1
"""The seat to move loses against best play."""

AHEAD = 1e-9
"""The margin that wins: any margin above 0."""

TABLE_BITS = 20
NODES_LIMIT = 10_000_000

STATES_LIMIT = 1 << 30
"""Bytes for the positions of one line of play; games of this size are far out of reach anyway."""


@dataclass(frozen=True, slots=True)
class ProofResult(ShownResult):
    """The result of best play by both seats.

    Attributes
    ----------
    value
        ``WIN``, ``DRAW`` or ``LOSS`` for the seat to move; None: the limits were reached first.
    line
        Best moves of both seats to the end of the game; shorter where the limits were reached.
    nodes, seconds
        The work and its time.
    rests_on
        The names of an author's functions that the proof assumes to be right; empty: the proof
        depends only on the game's own rules and hints.
    """

    value: int | None
    line: tuple[int, ...]
    nodes: int
    seconds: float
    rests_on: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """``win``, ``draw``, ``loss`` or ``unknown``, for the seat to move."""
        if self.value is None:
            return "unknown"
        return {WIN: "win", DRAW: "draw", LOSS: "loss"}[self.value]


class Prover:
    """A proof-number search with its memory, used for many questions about one game.

    Parameters
    ----------
    setup
        The setup of a game for two seats without chance.
    nodes, time
        The nodes and the seconds that all questions together may take; None: no limit.
    table_bits
        The table has ``2 ** table_bits`` entries of 16 bytes.

    Raises
    ------
    ValueError
        If the game is not for two seats.
    InvalidInput
        If a line of play to the end does not fit into ``STATES_LIMIT``: the game is too large.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        nodes: int | None = NODES_LIMIT,
        time: float | None = None,
        table_bits: int = TABLE_BITS,
    ) -> None:
        if rules.info(setup).seats != 2:
            raise ValueError("proofs are for games of two seats")
        self.setup = setup
        levels = rules.info(setup).ply_bound + 2
        self.question = make_question(setup, levels, table_bits)
        self.stack = make_proof_stack(levels, rules.info(setup).move_capacity)
        prove(setup, self.question, self.stack, 0)  # compiled before the clock runs
        self.nodes = 0
        self.allow(nodes=nodes, time=time)

    def allow(self, *, nodes: int | None = NODES_LIMIT, time: float | None = None) -> None:
        """Set the nodes and the seconds that all questions from now on may take together."""
        self.nodes_left = nodes
        self.deadline = deadline_after(time)

    def solve(self, state: State) -> ProofResult:
        """Solve the game from a state that is not over, within the rest of the limits."""
        started, before = clock.perf_counter(), self.nodes
        seat = int(state[TURN])
        value = self.value(state, seat)
        line = () if value is None else self.line(state, seat, value)
        return ProofResult(value, line, self.nodes - before, clock.perf_counter() - started)

    def can_reach(self, state: State, seat: int, goal: float) -> bool | None:
        """Tell whether a seat can end at least ``goal`` ahead against all moves of the other.

        Returns
        -------
        bool or None
            None: the limits were reached first.
        """
        scores = np.zeros(2, np.float64)
        if state[TURN] == OVER:
            rules.scores(self.setup, state, scores)
            return bool(margin(scores, seat) >= goal)
        question, stack, mover = self.question, self.stack, int(state[TURN])
        question.states[0] = state
        question.seat[0] = seat
        question.goal[0] = goal
        question.salt[0] = random_state(int(np.float64(goal).view(np.int64)), seat)[0]
        question.keys[0] = np.uint64(rules.key(self.setup, state)) ^ question.salt[0]
        begin(stack, mover)
        progress = stack.progress[0]
        for amount in chunks(self.deadline, self.nodes_left):
            prove(self.setup, question, stack, amount)
            if progress.mode == DONE:
                break
        self.nodes += int(progress.nodes)
        if self.nodes_left is not None:
            self.nodes_left -= int(progress.nodes)
        if progress.mode != DONE:
            return None
        mover_wins = bool(progress.phi == 0)
        return mover_wins == (mover == seat)

    def value(self, state: State, seat: int) -> int | None:
        """Return ``WIN``, ``DRAW`` or ``LOSS`` for a seat; None: the limits were reached."""
        wins = self.can_reach(state, seat, AHEAD)
        if wins is not False:
            return WIN if wins else None
        draws = self.can_reach(state, seat, 0.0)
        if draws is None:
            return None
        return DRAW if draws else LOSS

    def keeps(self, state: State, seat: int, value: int, mover: int) -> bool | None:
        """Tell whether ``mover`` made no mistake on the way to a state.

        Before the move the game had this value for ``seat``: its own moves can only lower the
        value, those of the other only raise it. None: the limits were reached.
        """
        if mover == seat:
            return value == LOSS or self.can_reach(state, seat, AHEAD if value == WIN else 0.0)
        if value == WIN:
            return True
        better = self.can_reach(state, seat, AHEAD if value == DRAW else 0.0)
        return None if better is None else not better

    def line(self, state: State, seat: int, value: int) -> tuple[int, ...]:
        """Return best moves of both from a state that has this value for a seat."""
        state = np.array(state, np.int32)
        line: list[int] = []
        while state[TURN] != OVER:
            mover = int(state[TURN])
            for move in moves_at(self.setup, state).tolist():
                after = state.copy()
                play_at(self.setup, after, move)
                if self.keeps(after, seat, value, mover):
                    break
            else:  # the limits were reached: such a move exists, but is not known
                break
            line.append(move)
            state = after
        return tuple(line)


def make_question(setup: Setup, levels: int, table_bits: int) -> Question:
    """Return room for questions about a game, with a table of ``2 ** table_bits`` entries."""
    size = rules.info(setup).state_size
    if levels * size * 4 > STATES_LIMIT:
        raise InvalidInput(
            f"this game is too large to be solved: one line of play may have {levels} positions "
            f"of {4 * size} bytes"
        )
    return Question(
        states=np.empty((levels + 1, size), np.int32),
        keys=np.zeros(levels, np.uint64),
        codes=np.empty(rules.info(setup).move_capacity, np.int32),
        table=make_table(table_bits),
        seat=np.zeros(1, np.int64),
        goal=np.zeros(1, np.float64),
        salt=np.zeros(1, np.uint64),
        scores=np.zeros(2, np.float64),
        high=np.zeros(2, np.float64),
    )


def solve(
    setup: Setup,
    state: State,
    *,
    nodes: int | None = NODES_LIMIT,
    time: float | None = None,
    table_bits: int = TABLE_BITS,
) -> ProofResult:
    """Solve a game for two seats without chance, from a state that is not over.

    See :class:`Prover` for the parameters. Reaching a limit is no error: ``value`` is None then.
    """
    return Prover(setup, nodes=nodes, time=time, table_bits=table_bits).solve(state)
