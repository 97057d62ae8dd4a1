"""Games as plain Python with strict arrays, which find indices that machine code does not check.

The rules and the hints of a game play a random game here before they run as machine code.
"""

from __future__ import annotations

import traceback
from collections import defaultdict
from copy import deepcopy
from hashlib import blake2b
from pathlib import Path
from traceback import FrameSummary
from typing import Any

import numpy as np

from ludograph import rules
from ludograph.errors import GameFault, is_whole
from ludograph.rules import CHANCE, OVER, PLY, TURN, GameInfo, Moves, ObservationInfo, Setup
from ludograph.rules.announcer import announcer
from ludograph.rules.compilation import are_interpreted
from ludograph.rules.strict import (
    Budget,
    Enough,
    Plain,
    is_beyond_array,
    is_of_the_package,
    strict,
)
from ludograph.search.hints import candidates, proven_scores, score_bounds_at
from ludograph.search.mcts.hints import (
    JUDGEMENT,
    GameKnowledge,
    leaf_value,
    settle,
    weigh,
)
from ludograph.search.proof.game import proof_numbers

PACKAGE = Path(rules.__file__).parents[1]
OUR_GAMES = PACKAGE / "games"
LIBRARIES = {"llvmlite", "numba", "numpy"}
"""Folders of libraries that rules call."""

UNSEEN = ObservationInfo(0, 0, 0, 0, 0, 0)

PER_MOVE = ("weights", "weigh", "priors")
"""The functions that write a number for each move; ``priors`` is an author's."""

UNWRITTEN = -0x5A5A5A5B
"""The content of arrays that a rule shall write."""

LOOKING: tuple[Any, ...] = (
    *(rules.key, rules.scores, rules.evaluate, rules.observe, rules.touch, rules.weights),
    *(candidates, leaf_value, proven_scores, score_bounds_at, proof_numbers),
    *(weigh, settle),
)
"""The rules that look at a state, and the hints; the last two need knowledge of the game."""

FOR_A_SEAT = (
    *(rules.touch, proven_scores, score_bounds_at, proof_numbers),
    *(weigh, settle),
)
"""Those that are called only if a seat is to move."""

GAMES, INDICES = 20, 20_000
"""A game of an author is first checked by this number of random games. After this number of checked
indices, some 50 ms, no further game begins."""

MOST_INDICES = 300_000
"""The number of checked indices, half a second, after which a game is not played to its end."""

LOOKS = 12
"""The number of plies of a long game at which all rules are called that look at a state."""

NO_MOVES = np.zeros(0, np.int32)

FAILED: Any = object()
"""The answer of a rule that has failed alone."""

CONTENTS = 8
"""The Setups of a type and of the same sizes that are checked: what a rule reads may depend on the
contents of their arrays, but a process may play on thousands of boards."""

_checked: defaultdict[tuple[Any, ...], set[bytes]] = defaultdict(set)
"""Digests of the Setups of this process whose rules have been checked, by their types and sizes."""


_is_of_a_player = False
"""Whether this process gets its positions from a referee, which has checked their rules."""


class WrongIndex(GameFault):
    """A rule or a hint reads or writes beyond an array."""


class NotAMove(GameFault):
    """A rule returns something that is no code, or no number of codes."""


class Tally:
    """The rules and hints that ran to their end in some call, and the first errors of others."""

    def __init__(self) -> None:
        self.ran: set[Any] = set()
        self.errors: dict[Any, Exception] = {}

    def warn(self) -> None:
        """Warn of each rule and hint that never ran to its end: its indices are not checked."""
        for rule, error in self.errors.items():
            if rule not in self.ran and not isinstance(error, NotImplementedError):
                announcer.warn_once(unchecked_in_words(rule.__name__, error))


def content_of(
    function: str, parameter: str, bounds: GameInfo, moves: Moves, seen: ObservationInfo = UNSEEN
) -> Any:
    """Return an array that a rule or a hint reads or writes, beside the state, not yet written.

    Parameters
    ----------
    function, parameter
        The name of the rule, and that of its parameter.
    moves
        The legal moves.
    seen
        The sizes of observations.
    """
    if parameter in ("moves", "outcomes") and function != "settle":
        return moves.copy()
    shape, kind = {
        ("legal_moves", "out"): (bounds.move_capacity, np.int32),
        ("candidates", "out"): (bounds.move_capacity, np.int32),
        ("settle", "moves"): (bounds.move_capacity, np.int32),
        ("touch", "kinds"): (moves.size, np.int32),
        ("touch", "ends"): (moves.size, np.int32),
        ("touch", "vertices"): (seen.touched, np.int32),
        ("observe", "vertices"): ((seen.vertices, seen.vertex_features), np.float32),
        ("observe", "game"): (seen.game_features, np.float32),
        **dict.fromkeys([(each, "out") for each in PER_MOVE], (moves.size, np.float64)),
    }.get((function, parameter), (bounds.seats, np.float64))
    return np.full(shape, UNWRITTEN, kind)


class PlainGame:
    """Random games of one Setup, as plain Python with strict arrays.

    Parameters
    ----------
    budget
        Counts the indices; None: there is no end of them.
    looks
        The number of plies at which all rules are called that look at a state; None: all.
    knowledge
        The knowledge that the hints read; None: those that need some are not called.
    tally
        Keeps the errors of rules, wrong indices excepted; those of rules that no other rule needs
        do not end the game. None: each error ends it.
    """

    def __init__(
        self,
        setup: Setup,
        seed: int,
        *,
        budget: Budget | None = None,
        looks: int | None = None,
        knowledge: GameKnowledge | None = None,
        tally: Tally | None = None,
    ) -> None:
        self.plain = Plain(whole=True, budget=budget)
        self.budget, self.looks, self.tally = budget, looks, tally
        self.setup = strict(setup, "setup", budget)
        self.info = self._call(rules.info)
        self.rng = strict(rules.random_state(seed, 1), "rng", budget)
        self.where = f"seed {seed}"
        seen = self._alone(rules.observation)
        self.seen = UNSEEN if seen is FAILED else ObservationInfo(*seen)
        self.state = strict(np.full(self.info.state_size, UNWRITTEN, np.int32), "state", budget)
        self.known: dict[str, Any] = {}
        if knowledge is not None:
            parts = {"knowledge": knowledge.of_moves(), "workspace": knowledge.workspace()}
            for name, part in parts.items():
                if part is not None:  # a copy: a search begins with its own as it is
                    self.known[name] = strict(deepcopy(part), name, budget)
        self.asked = [
            rule
            for rule in LOOKING
            if (rule.__name__ in vars(rules) or type(setup) in rule.kernels)
            and not (seen is FAILED and rule in (rules.observe, rules.touch))
        ]

    def play(self) -> None:
        """Play a game, then one in which a seat is eliminated, and a playout."""
        self._call(rules.start, self.state)
        start = self.state.copy()
        self._play_on()
        if self.state[TURN] != OVER:
            return  # a playout might have no end
        if self.info.seats > 2:
            self.state[:] = start
            if self._alone(rules.drop, self.state, int(self.state[TURN] == 0)) is not FAILED:
                self._play_on()
        self.state[:] = start
        self._ask(rules.playout)

    def _play_on(self) -> None:
        """Play at random to the end, or to a state that other checks refuse."""
        codes = strict(np.full(self.info.move_capacity, UNWRITTEN, np.int32), "out", self.budget)
        step = 1 if self.looks is None else max(1, self.info.ply_bound // self.looks)
        for ply in range(self.info.ply_bound):
            if self.state[TURN] == OVER:
                break
            if self.state[TURN] != CHANCE and not 0 <= self.state[TURN] < self.info.seats:
                return
            count = self._call(rules.legal_moves, self.state, codes)
            self._require(count, "legal_moves must return the number of moves")
            if not 1 <= count <= codes.size:
                return
            if ply % step == 0 or count == 1:
                self._look(codes[:count])
            move = self._alone(rules.sample_move, self.state, self.rng)
            if move is FAILED:
                move = codes[ply % count]
            self._require(move, "sample_move must return the code of a move")
            if move not in codes[:count]:
                return
            self._call(rules.play, self.state, int(move))
        self._ask(rules.scores)

    def _look(self, moves: Any) -> None:
        """Call all rules that look at a state, and the hints of the game."""
        at_chance = self.state[TURN] == CHANCE
        for rule in self.asked:
            if not (rule in FOR_A_SEAT if at_chance else rule is rules.weights):
                for wanted in range(JUDGEMENT + 1) if rule is weigh else (0,):
                    self._ask(rule, moves, wanted)

    def _ask(self, rule: Any, moves: Any = NO_MOVES, wanted: int = 0) -> None:
        """Call a rule on a copy of the state, with arrays by the names of its parameters."""
        state = self.state.copy()
        values = {"state": state, "rng": self.rng, "seat": max(0, int(state[TURN])), **self.known}
        values["wanted"] = wanted
        names = list(rule.signature.parameters)[1:]
        for name in names:
            if name in ("knowledge", "workspace") and name not in values:
                return
            if name not in values:
                content = content_of(rule.__name__, name, self.info, moves, self.seen)
                values[name] = strict(content, name, self.budget)
        self._alone(rule, *(values[name] for name in names))

    def _alone(self, rule: Any, *args: Any) -> Any:
        """Call a rule that no other rule needs; return FAILED if it fails and a tally keeps why."""
        try:
            return self._call(rule, *args)
        except Exception as error:
            if self.tally is None or is_beyond_array(error):
                raise
            return FAILED

    def _call(self, rule: Any, *args: Any) -> Any:
        try:
            answer = self.plain.of(rule)(self.setup, *args)
        except Exception as error:
            if self.tally is not None:
                self.tally.errors.setdefault(rule, error)
            raise
        if self.tally is not None:
            self.tally.ran.add(rule)
        return answer

    def _require(self, answer: Any, sentence: str) -> None:
        if not is_whole(answer):
            raise NotAMove(f"{self.where}: {sentence}, not {type(answer).__name__}")


def check_own_rules(setup: Setup, knowledge: GameKnowledge | None = None) -> bool:
    """Check the rules and hints of a game that is not the package's before its first games.

    Return whether they were checked now: they are for the first Setups of each size that differ,
    up to :data:`CONTENTS`. A rule that fails otherwise than by an index, as by a
    division by zero, which raises in plain Python alone, is left to the compiler and to check-game;
    if it never runs to its end, a warning says so.

    Parameters
    ----------
    knowledge
        The knowledge of a search, which its hints read.

    Raises
    ------
    WrongIndex
        If one of them reads or writes beyond an array, with its file and line.
    """
    kind = type(setup)
    if is_of_the_package(kind) or are_interpreted() or _is_of_a_player:
        return False
    makers = [getattr(each, "func", each) for each in knowledge.makers] if knowledge else []
    parts = tuple(getattr(each, "__qualname__", "") for each in makers)
    checked = _checked[kind, sizes_of(setup), parts]
    if len(checked) >= CONTENTS or (digest := digest_of(setup)) in checked:
        return False
    budget, tally = Budget(MOST_INDICES), Tally()
    with np.errstate(all="ignore"):
        for seed in range(GAMES):
            game = None
            try:
                game = PlainGame(
                    setup, seed, budget=budget, looks=LOOKS, knowledge=knowledge, tally=tally
                )
                game.play()
            except Enough:
                break
            except Exception as error:  # the tally keeps those that are no wrong indices
                if is_beyond_array(error):
                    ply = 0 if game is None else max(0, int(game.state[PLY]))
                    raise WrongIndex(f"{failure(error)}, at ply {ply} of a random game") from error
            if budget.left < MOST_INDICES - INDICES:
                break
    tally.warn()
    checked.add(digest)
    return True


def leave_rules_to_the_referee() -> None:
    """Check no rules in this process: it gets positions that its referee has made."""
    global _is_of_a_player  # noqa: PLW0603
    _is_of_a_player = True


def sizes_of(value: Any) -> Any:
    """Return the shapes of the arrays of a Setup, at any depth."""
    if isinstance(value, tuple):
        return tuple(map(sizes_of, value))
    return np.shape(value)


def digest_of(value: Any) -> bytes:
    """Return a digest of the arrays and numbers of a Setup, at any depth."""
    if isinstance(value, tuple):
        return blake2b(b"".join(map(digest_of, value)), digest_size=16).digest()
    return blake2b(np.ascontiguousarray(value).data, digest_size=16).digest()


def place_of(error: BaseException) -> FrameSummary:
    """Return the line at which an error arose: the innermost one of an author.

    If there is none, it is the innermost line of a game of the package, else that of all.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return max(reversed(frames), key=nearness)


def nearness(frame: FrameSummary) -> int:
    """Return 2 for a line of an author, 1 for a line of a game of the package, 0 for others."""
    path = Path(frame.filename)
    if PACKAGE in path.parents:
        return int(OUR_GAMES in path.parents and path.parent != OUR_GAMES)
    return 2 if frame.line and not LIBRARIES & set(path.parts) else 0


def is_of_a_game(error: BaseException) -> bool:
    """Tell whether an error arose in the code of a game, rather than in that of Ludograph."""
    return nearness(place_of(error)) > 0


def failure(error: BaseException) -> str:
    """Return where a rule or a function of an author fails, and how."""
    place = place_of(error)
    kind = "" if isinstance(error, IndexError | TimeoutError) else f"{type(error).__name__}: "
    return f"{place.filename}, line {place.lineno}: {place.name} fails: {kind}{error}"


def unchecked_in_words(name: str, error: Exception) -> str:
    """Return the warning about a function that never runs to its end as plain Python."""
    return f"the indices of {name} are not checked in plain Python: {failure(error)}"
