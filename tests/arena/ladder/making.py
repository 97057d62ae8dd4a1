"""Small ladders, in which nobody really plays: results hang on what is in a player's file."""

import zlib
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from ludograph import flood
from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.ladder import Ladder, LadderFolder, LadderRun, RunLimits
from ludograph.boards import square
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games.registry import game
from ludograph.players.spec import parse_player

ANCHORS = ("greedy", "random")


def ladder_in(path, **settings):
    """A ladder of two built-in players in a folder."""
    folder = LadderFolder(path)
    folder.players.mkdir(exist_ok=True)
    folder.declaration.touch()
    rules = game("flood")
    seats = settings.get("seats", 2)

    def position(variant, seed):
        return flood.position(square(5), colors=4, seats=seats, seed=seed)

    anchors = tuple(parse_player(text, rules, seats) for text in ANCHORS)
    return Ladder(folder, rules, position, anchors, title="a toy", **settings)


def noon():
    """A time zone in which it is noon: no day ends while a test counts what was done on it."""
    west = datetime.now(UTC).hour - 12
    return ZoneInfo(f"Etc/GMT{west:+d}")  # the sign says how far west it is


def put(ladder, name, text):
    """Put a player into the folder. Its first word says what it does, see :class:`Pretended`."""
    (ladder.folder.players / name).write_text(f"{text}\n")


class Pretended:
    """Plays no game: who has the larger number in its file wins, ``fault`` forfeits, one a game.

    A second number is how many seconds a start takes.

    ``void`` brings no result, ``odd`` cannot begin; built-in players have 0. What ``before`` does
    is done before each game, with the number of games so far.
    """

    def __init__(self, ladder, before=lambda number: None, threads=1):
        self.ladder, self.before, self.threads = ladder, before, threads
        self.waiting, self.played = [], []

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.waiting.clear()

    @property
    def free(self):
        return self.threads - len(self.waiting)

    def submit(self, plan):
        self.waiting.append(plan)

    def ended(self):
        plan = self.waiting.pop(0)
        self.before(len(self.played))
        self.played.append(plan.key)
        yield plan, self.result(plan.key)

    def word(self, label):
        spec = self.ladder.player(label)
        return "0" if spec.kind == "strategy" else open(spec.target).read().split()[0]

    def start_of(self, label):
        spec = self.ladder.player(label)
        words = [] if spec.kind == "strategy" else Path(spec.target).read_text().split()
        return float(words[1]) if len(words) > 1 else 0.0

    def result(self, key):
        words = [self.word(label) for label in key.seating]
        if "void" in words:
            return HostFailure("so it went")
        if "odd" in words:
            return InvalidInput("so it went")
        reason = "crash" if "fault" in words else "finished"
        first = words.index("fault") if "fault" in words else -1
        worth = [-1.0 if word == "fault" else float(word) for word in words]
        worth = [-2.0 if seat == first else each for seat, each in enumerate(worth)]
        ranks = [1 + sum(other > own for other in worth) for own in worth]
        seats = tuple(
            SeatResult(label, rank, own, 1, 0.0, *(("crash", "it fell") if seat == first else ()))
            for seat, (label, rank, own) in enumerate(zip(key.seating, ranks, worth, strict=True))
        )
        return FinishedGame(
            start=key.start,
            seed=1,
            board="toy",
            reason=reason,
            plies=3,
            sentence="so it went",
            seats=seats,
            record=zlib.compress(b"{}"),
            starts=tuple(self.start_of(label) for label in key.seating),
        )


class Lines(list):
    """Lines that a run has said."""

    def __call__(self, line):
        self.append(line)


def run(ladder, games=None, before=lambda number: None, **limits):
    """Run a ladder; return its executor, the run and what it said."""
    lines, executor = Lines(), Pretended(ladder, before)
    going = LadderRun(ladder, lambda _: executor, lines)
    going.run(RunLimits(games, **limits))
    return executor, going, lines
