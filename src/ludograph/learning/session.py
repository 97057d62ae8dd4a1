"""A run: rounds until its time is over, and matches that choose the network to keep."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ludograph.formatting import counted, duration
from ludograph.games import registry
from ludograph.learning.curve import page, picture
from ludograph.learning.learner import Learner, RoundReport
from ludograph.learning.matches import MatchSettings, is_weaker, measure
from ludograph.search.network import read_network, write_network


class Session:
    """Rounds of learning with matches between them; it continues the run of the learner's folder.

    Parameters
    ----------
    out
        The file for the network: the best one by the matches, before the first match the present.
    tell
        Called with a line after each series of matches.
    """

    def __init__(
        self,
        learner: Learner,
        matches: MatchSettings,
        out: Path,
        tell: Callable[[str], None],
    ) -> None:
        self.learner, self.matches, self.out = learner, matches, out
        self.tell = tell
        self.game = registry.game(learner.task.game)
        self.losses: dict[str, float] = {}
        curve = learner.folder.curve()
        self.measured = max((point["seconds"] for point in curve), default=0.0)
        self.measured_round = max((point["rounds"] for point in curve), default=0)
        self.best: list[dict[str, Any]] = []  # the matches of the best network
        if learner.folder.best.exists():
            rounds = read_network(learner.folder.best, game=self.game.name).trained.get("rounds")
            self.best = [point for point in curve if point["rounds"] == rounds]

    def learn(self, seconds: float, rounds: float, say: Callable[[str], None]) -> None:
        """Play rounds until the run has used its time, or has played all its rounds.

        The first round is always played, so that there is a network.

        Parameters
        ----------
        seconds, rounds
            The limits of the whole run, which may be infinite.
        say
            Called with what happens now.
        """
        learner = self.learner
        progress = learner.progress
        while not progress.rounds or (progress.seconds < seconds and progress.rounds < rounds):
            report = learner.play_round()
            self.losses = {
                "policy_loss": round(report.policy, 4),
                "value_loss": round(report.value, 4),
                "end_loss": round(report.final, 4),
            }
            say(self.line(report, seconds))
            if progress.seconds - self.measured >= self.matches.every:
                self.measure(say)
        if progress.rounds > self.measured_round:
            self.measure(say)
        self.write()

    def measure(self, say: Callable[[str], None]) -> None:
        """Play the matches, store their results, and write a line about them."""
        learner, progress = self.learner, self.learner.progress
        settings = learner.task.settings
        learner.write_network()
        say(f"playing matches after {self.summary()}")
        boards = len(settings.boards)
        found = measure(
            self.game,
            lambda seed: learner.task.make_position(seed % boards, seed),
            learner.folder.network,
            self.matches,
            seats=settings.seats,
            seed=settings.seed,
        )
        learner.note_time()
        stronger = next((each for each in self.earlier() if is_weaker(found, each)), [])
        is_best = not stronger
        about = {
            "rounds": progress.rounds,
            "games_learned": progress.games,
            "positions": progress.positions,
            "seconds": round(progress.seconds, 1),
            "processor_seconds": round(progress.cpu_seconds, 1),
            **self.losses,
            "is_best": is_best,
        }
        points = [{**about, **point} for point in found]
        if is_best:
            write_network(learner.folder.best, learner.network())
            self.best = points
        self.write()
        learner.folder.add_to_curve(points)
        self.draw_curve()
        self.measured, self.measured_round = progress.seconds, progress.rounds
        weaker = "" if is_best else f"; weaker than after round {stronger[0]['rounds']}"
        self.tell(f"{self.summary()}: {'; '.join(map(result, found))}{weaker}")

    def earlier(self) -> list[list[dict[str, Any]]]:
        """Return the results of all matches so far, a list for each network."""
        curve = self.learner.folder.curve()
        return [list(points) for _, points in groupby(curve, key=itemgetter("rounds"))]

    def draw_curve(self) -> None:
        """Write the curve as a picture and as a page."""
        folder = self.learner.folder
        points = folder.curve()
        title = f"Learning {self.game.name}: {self.out.name}"
        folder.write_text("curve.svg", picture(points, title))
        folder.write_text("curve.html", page(points, title))

    def write(self) -> None:
        """Write the network for the user: the best one, before the first match the present one."""
        folder = self.learner.folder
        if folder.best.exists():
            network = read_network(folder.best, game=self.game.name)
            write_network(self.out, network)
        elif self.learner.progress.rounds:
            write_network(self.out, self.learner.network())

    def summary(self) -> str:
        """Return the time, the games and the positions of the run so far, in words."""
        progress = self.learner.progress
        return (
            f"{duration(progress.seconds)} of learning and {duration(progress.compiling)} of "
            f"compilation ({duration(progress.cpu_seconds)} of processor time), "
            f"{counted(progress.games, 'game')}, {counted(progress.positions, 'position')}"
        )

    def line(self, report: RoundReport, seconds: float) -> str:
        """Return the progress and the losses after a round, and the time that is left."""
        left = ""
        if seconds != float("inf"):
            left = f"; {duration(max(0.0, seconds - report.progress.seconds))} of learning left"
        return (
            f"{self.summary()}; loss of policy {report.policy:.3f}, value {report.value:.3f}, "
            f"end {report.final:.3f}{left}"
        )


def result(point: dict[str, Any]) -> str:
    """Return the result of a match in words."""
    bounds = (
        "" if point["low"] is None else f" ({100 * point['low']:.0f} to {100 * point['high']:.0f})"
    )
    return f"{point['player']} {100 * point['points']:.0f} %{bounds} against {point['anchor']}"
