"""The check of a player in all situations of a ladder, and its faults sorted by kind."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from ludograph.conformance.player_cases import MOST_SEATS, Case
from ludograph.games import Position
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec
from ludograph.referee import Fault, MatchResult, play_match

CLOCK = "2s"
"""The clock for each move, except in games with a tiny clock: the clock of series."""

TINY_CLOCK = "100ms"

FEW = 3
"""The most games with one fault that may have a common trait by chance."""

SEEDS, FIRST = 3, 10
"""The number of games by other seeds, and the number of small starts for them."""


class TimeIsOver(Exception):
    """The time of the examination is over during a game; not the player's fault."""


class PlayerTrial(NamedTuple):
    """A game of the examination.

    Attributes
    ----------
    after
        The number of its own moves after which the opponent resigns; below zero: never.
    """

    kind: str
    case: Case
    seat: int
    seed: int
    after: int = -1

    @property
    def traits(self) -> dict[str, str]:
        """Its traits for comparisons."""
        own = {"seat": str(self.seat), **self.case.traits}
        return own if self.kind == "games" else {**own, "trial": self.kind}


class SeenFault(NamedTuple):
    """A fault in a trial: its player, its reason, and whether the game was over."""

    trial: PlayerTrial
    reason: str
    message: str
    ply: int
    at_end: bool
    log: str


@dataclass
class Problem:
    """Faults of one kind, with the smallest game that shows it.

    Attributes
    ----------
    games
        The number of games with it.
    shared
        The traits that all these games have, and not all others.
    """

    smallest: SeenFault
    games: int = 1
    shared: dict[str, str] = field(default_factory=dict)


class GivesUp(Exception):
    """The exception of an opponent that drops out."""


class Quitter:
    """Plays its first legal moves, then resigns."""

    def __init__(self, after: int) -> None:
        self.after = after

    def choose(self, position: Position) -> int:
        """Return the first legal move, or raise GivesUp."""
        self.after -= 1
        if self.after < 0:
            raise GivesUp
        return position.legal_moves()[0]


def trials(cases: Sequence[Case], seed: int, only: str | None) -> list[PlayerTrial]:
    """Return the trials, the most useful ones first: all kinds, all starts, all seats."""
    if not cases:
        return []
    plain = usual(cases)
    common = [case for case in cases if case.declared]
    three = [case for case in cases if case.seats > 2][:1]
    found = [PlayerTrial("games", plain, seat, seed) for seat in range(plain.seats)]
    found += [PlayerTrial("itself", case, 0, seed) for case in (plain, *three)]
    found += [
        PlayerTrial("ends-early" if case is plain else "drop-out", case, seat, seed, after)
        for case in (plain, *three)
        for seat in range(case.seats)
        for after in range(2)
        if case.seats > 1
    ]
    found += [PlayerTrial("games", case, 0, seed) for case in common]
    found += [PlayerTrial("tiny-clock", case, 0, seed) for case in (plain, cases[-1])]
    for turn in range(MOST_SEATS):  # every start once, before any start from another seat
        found += [
            PlayerTrial("games", case, (number + turn) % case.seats, seed)
            for number, case in enumerate(cases)
            if turn < case.seats
        ]
    found += [
        PlayerTrial("games", case, seat, seed + more)
        for more in range(1, SEEDS)
        for case in (*common, *cases[:FIRST])
        for seat in range(case.seats)
    ]
    return [trial for trial in dict.fromkeys(found) if only in (None, trial.kind)]


def further_trials(done: Sequence[PlayerTrial]) -> Iterator[PlayerTrial]:
    """Yield games on the starts of some trials with ever new seeds, without end."""
    known = set(done)
    starts = list(dict.fromkeys(trial.case for trial in done if trial.kind == "games"))
    seed = min((trial.seed for trial in done), default=0)
    while starts:
        for case in sorted(starts, key=lambda case: not case.declared):
            for seat in range(case.seats):
                if (trial := PlayerTrial("games", case, seat, seed)) not in known:
                    yield trial
        seed += 1


def usual(cases: Sequence[Case]) -> Case:
    """Return a sample of the game for two, or a case of middle size."""
    samples = [case for case in cases if case.sample and case.seats == 2]
    return samples[0] if samples else cases[len(cases) // 2]


@dataclass
class Examination:
    """The trials of one player, and their results.

    Attributes
    ----------
    opponent
        The name of a built-in player.
    slowest
        The seconds of its longest move, and the game of this move.
    """

    spec: PlayerSpec
    opponent: str
    isolation: Isolation | None
    problems: dict[tuple[Any, ...], Problem] = field(default_factory=dict)
    faulty: dict[tuple[Any, ...], list[PlayerTrial]] = field(default_factory=dict)
    played: list[PlayerTrial] = field(default_factory=list)
    slowest: tuple[float, PlayerTrial | None] = (0.0, None)
    late: SeenFault | None = None
    end: float = math.inf

    def run(
        self,
        wished: Sequence[PlayerTrial],
        seconds: float,
        advance: Callable[[str], None],
        further: Iterable[PlayerTrial],
    ) -> None:
        """Play the trials as far as the time allows; sort their faults.

        Parameters
        ----------
        further
            Trials for the rest of the time if there were no faults.
        """
        self.end = time.monotonic() + seconds
        try:
            for number, trial in enumerate(chain(wished, further)):
                if self.hopeless or (self.problems and number >= len(wished)):
                    break
                self.judge(trial, self.match(trial))
                advance("")
        except TimeIsOver:
            pass  # the played trials are reported; the caller sees their number
        for key, problem in self.problems.items():
            problem.shared = self.shared(self.faulty[key])

    @property
    def hopeless(self) -> bool:
        """Tell whether the player never starts, so that more trials would show nothing new."""
        starts = [seen for seen in self.problems.values() if seen.smallest.reason == "no-start"]
        return any(problem.games == len(self.played) >= 3 for problem in starts)

    def match(self, trial: PlayerTrial) -> MatchResult:
        """Play one game; raise TimeIsOver as soon as the time is over."""
        self.check_time()
        position = trial.case.position(trial.seed)
        players: list[Any] = [self.opponent] * position.seats
        if trial.kind == "itself":
            players = [self.spec] * position.seats
        elif trial.after >= 0:
            players[(trial.seat + 1) % position.seats] = Quitter(trial.after)
        players[trial.seat] = self.spec
        clock = TINY_CLOCK if trial.kind == "tiny-clock" else CLOCK
        return play_match(
            position,
            players,
            clock=clock,
            seed=trial.seed,
            isolation=self.isolation,
            on_move=lambda *_: self.check_time(),
        )

    def check_time(self) -> None:
        """Raise TimeIsOver if the time is over."""
        if time.monotonic() > self.end:
            raise TimeIsOver

    def judge(self, trial: PlayerTrial, result: MatchResult) -> None:
        """Store the player's faults in a game."""
        self.played.append(trial)
        own = range(result.position.seats) if trial.kind == "itself" else (trial.seat,)
        if trial.kind != "tiny-clock":
            for played in result.moves:
                if played.seat in own and played.seconds > self.slowest[0]:
                    self.slowest = (played.seconds, trial)
        for fault, at_end in _of(own, result):
            seen = SeenFault(
                trial._replace(seat=fault.seat),
                str(fault.reason),
                fault.message,
                fault.ply,
                at_end,
                result.logs.get(fault.seat) or fault.log,
            )
            if trial.kind == "tiny-clock" and seen.reason == "timeout":
                self.late = self.late or seen
            else:
                self.add(seen)

    def add(self, seen: SeenFault) -> None:
        """Store a fault by its kind, and for each kind the smallest game."""
        key = kind_of(seen)
        problem = self.problems.setdefault(key, Problem(seen))
        problem.smallest = min(problem.smallest, seen, key=size_of)
        faulty = self.faulty.setdefault(key, [])
        faulty.append(seen.trial)
        # Against itself it may fail on both seats.
        problem.games = len({t._replace(seat=0) if t.kind == "itself" else t for t in faulty})

    def shared(self, faulty: Sequence[PlayerTrial]) -> dict[str, str]:
        """Return traits that all faulty trials have, and not all others."""
        if len(faulty) < FEW:
            return {}
        common, everywhere = (
            set.intersection(*(set(trial.traits.items()) for trial in each))
            for each in (faulty, self.played)
        )
        found = dict(sorted(common - everywhere))
        return {
            name: text
            for name, text in found.items()
            if not (name.startswith("--") and name.removeprefix("--") in found)
        }

    def option_of(self, problem: Problem) -> str | None:
        """Return the option that a problem seems to depend on, None if there is none.

        It was chosen in all games with the problem, and in few of the others.
        """
        names = {name.removeprefix("--") for name in problem.shared}
        with_it = {
            name: sum(name in trial.case.chosen for trial in self.played)
            for name in names
            if name in problem.smallest.trial.case.chosen
        }
        name = min(with_it, key=lambda name: with_it[name], default=None)
        return name if name is not None and 2 * with_it[name] <= len(self.played) else None


def _of(seats: Sequence[int], result: MatchResult) -> Iterator[tuple[Fault, bool]]:
    """Yield the faults of some seats, with whether the game was over."""
    for fault in result.faults:
        if fault.seat in seats:
            yield fault, False
    for fault in result.finish_faults:
        if fault.seat in seats:
            yield fault, True


def kind_of(seen: SeenFault) -> tuple[Any, ...]:
    """Return the key of a kind of faults, without ply and move."""
    if seen.reason in ("illegal-move", "timeout", "memory", "resign"):
        return seen.reason, seen.at_end
    text = seen.message.partition("; at ply")[0]
    return seen.reason, seen.at_end, re.sub(r"0x[0-9a-f]+|-?\d+(?!\))|'[^']*'", "#", text)[:120]


def size_of(seen: SeenFault) -> tuple[int, ...]:
    """Return the size of a fault's game, to find the smallest."""
    trial = seen.trial
    return (trial.case.size, seen.ply, trial.case.seats, trial.kind != "games", trial.seed)
