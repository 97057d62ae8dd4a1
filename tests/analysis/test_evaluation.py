"""What a search says of a recorded game: values, the move that lost it, proofs."""

import itertools
import re

import pytest

from ludograph import amazons, boards, flood, hex, play_match, read_record
from ludograph.analysis import analyze, most_searches
from ludograph.analysis.curve import Candidate, MoveAnalysis
from ludograph.cli.why import report
from ludograph.games.outcome import Outcome


def recorded(path, start, players, seed=1):
    play_match(start, players, seed=seed, record=path)
    return read_record(path)


class Blunders:
    """Plays from a list, then the first legal move."""

    def __init__(self, *moves):
        self.moves = list(moves)

    def choose(self, position):
        return position.parse(self.moves.pop(0)) if self.moves else position.legal_moves()[0]


@pytest.fixture(scope="module")
def blunder(tmp_path_factory):
    """Hex on 3 x 3: black could have won from the short diagonal, begins in a corner, and loses."""
    start = hex.position(3, pie=False)
    players = [Blunders("a1", "a2"), "mcts:sims=1000"]
    return recorded(tmp_path_factory.mktemp("games") / "hex.jsonl", start, players)


def test_the_first_move_lost_it(blunder):
    analysis = analyze(blunder, time=None, sims=2000)
    worst = analysis.worst[0]
    assert (worst.ply, worst.played) == (1, "a1")
    assert worst.candidates[0].text in ("a3", "b2", "c1")  # the short diagonal wins
    assert worst.value > 0.8
    assert worst.after < 0.2
    assert analysis.lost_at(0) == 1
    assert analysis.proven_lost_at(0) == 1
    assert analysis.lost_at(1) is analysis.proven_lost_at(1) is None


def test_values_of_two_are_each_others_rest(blunder):
    analysis = analyze(blunder, time=None, sims=100)
    assert [ply for ply, _ in analysis.curve(0)] == list(range(blunder.plies + 1))
    for (_, mine), (_, other) in zip(analysis.curve(0), analysis.curve(1), strict=True):
        assert mine + other == pytest.approx(1.0)
    assert analysis.final == [0.0, 1.0]


def test_the_same_seed_says_the_same(blunder):
    first, second = (analyze(blunder, time=None, sims=50, seed=3) for _ in range(2))
    assert first.moves == second.moves


WORTH = re.compile(
    r"played (\S+), worth (\S+); mcts plays (\S+), worth ([^ ]+?)(?: \(then (.*)\))?\.$"
)


@pytest.mark.parametrize("sims", [1, 2, 3, 5, 8])
def test_a_report_of_few_simulations_does_not_contradict_itself(sims, tmp_path):
    starts = [flood.position(boards.square(5), colors=5, seed=seed) for seed in range(4)]
    starts += [flood.position(boards.square(5), colors=5, seats=seats, seed=9) for seats in (1, 3)]
    starts += [hex.position(3), hex.position(4)]
    found = 0
    for number, start in enumerate(starts):
        record = recorded(tmp_path / f"{number}.jsonl", start, ["random"] * start.seats, number)
        analysis = analyze(record, time=None, sims=sims, seed=number)
        for each in analysis.moves:
            values = [one.value for one in each.candidates]
            assert values == sorted(values, reverse=True)
            assert each.better is None or each.better.value > each.after
        for line in report(analysis, record.names):
            said = WORTH.search(line)
            if said is None:
                continue
            found += 1
            played, worth, best, most, others = said.groups()
            pairs = (pair.split() for pair in others.split(", ")) if others else ()
            known = {name: float(value) for name, value in pairs}
            values = [float(most), *known.values()]
            assert float(worth) <= float(most), line
            assert values == sorted(values, reverse=True), line
            assert played != best
            assert known.get(played, float(worth)) == float(worth), line
    assert found


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_any_number_of_seats(tmp_path, seats):
    start = flood.position(boards.square(5), colors=4, seats=seats, seed=2)
    record = recorded(tmp_path / "game.jsonl", start, ["greedy"] * seats)
    calls = itertools.count()
    analysis = analyze(record, time=None, sims=60, on_search=lambda: next(calls))
    assert len(analysis.moves) == record.plies
    assert record.plies <= next(calls) <= most_searches(record)
    for judgment in analysis.moves:
        assert judgment.after <= judgment.value
        assert seats == 1 or judgment.after >= 0
        assert judgment.scores == record.position_at(judgment.ply - 1).scores()
    assert sum(len(analysis.of(seat)) for seat in range(seats)) == record.plies
    assert len(analysis.worst) == len(analysis.final) == seats


@pytest.mark.slow
def test_a_proof_is_right(tmp_path):
    """Who is proven lost at some ply has lost a game that was played on without a mistake."""
    start = amazons.position(4)
    record = recorded(tmp_path / "game.jsonl", start, ["random", "minimax:depth=3"], seed=5)
    analysis = analyze(record, time=None, sims=300)
    loser = 1 - Outcome.from_scores(record.end["scores"]).winners[0]
    at = analysis.proven_lost_at(loser)
    assert at is not None
    verdict = start.game.solving.solve(record.position_at(at), 20.0).verdict
    assert verdict == ("loss" if record.position_at(at).turn == loser else "win")


@pytest.mark.slow
def test_who_is_proven_lost_stays_lost_whatever_it_plays(tmp_path):
    """The next search may be too short to prove it again: its value must not rise."""
    start = amazons.position(4)
    record = recorded(tmp_path / "game.jsonl", start, ["random", "minimax:depth=3"], seed=5)
    analysis = analyze(record, time=None, sims=300)
    pairs = [(one, two) for one, two in itertools.pairwise(analysis.moves) if one.lost]
    assert pairs
    for one, two in pairs:
        assert two.won
        assert two.value >= 1.0 - one.value


def test_the_time_is_bounded(tmp_path):
    start = flood.position(boards.square(6), colors=4, seed=2)
    record = recorded(tmp_path / "game.jsonl", start, ["greedy", "random"])
    longest = []
    analyze(record, time=0.001, on_search=lambda: longest.append(1))
    assert len(longest) <= most_searches(record)
    analysis = analyze(record, time=100.0, total=0.2)
    assert len(analysis.moves) == record.plies


def test_an_exchange_is_missed_although_its_value_was_corrected_since():
    swap, other = Candidate(9, "swap", 0.8, 0), Candidate(3, "b1", 0.9, 5)
    entry = MoveAnalysis(2, 1, 4, "a1", 0.0, (), after=0.3, exchange=swap)
    for candidates, missed in (
        ([swap], swap),
        ([swap._replace(value=0.7)], swap._replace(value=0.7)),
        ([other, swap], None),
        ([swap._replace(value=0.2)], None),
        ([], None),
    ):
        entry.candidates = candidates
        assert entry.missed == missed
