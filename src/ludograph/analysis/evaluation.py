"""The evaluation of a recorded game: a search of every position, and a longer one of the worst.

:func:`analyze` searches the positions in the order of the game, so that each search starts from
the tree of the one before.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ludograph import rules
from ludograph.analysis.curve import EVEN, Analysis, Candidate, MoveAnalysis
from ludograph.analysis.measure import Unit, measure_of, unmix
from ludograph.games import Position
from ludograph.games.interaction import swap_of
from ludograph.games.search_players import MctsPlayer
from ludograph.games.search_view import SearchView
from ludograph.referee.record import Event, Record
from ludograph.search.mcts import MonteCarlo, MonteCarloResult
from ludograph.search.mcts.leaf_evaluation import to_rewards
from ludograph.search.searched import OWN

LONGER = 5
"""The factor of time for the second search of the worst positions."""

CANDIDATES = 3
"""The number of best moves stored."""

CONFIRMED = 3
"""The most losses of a part that are confirmed."""

ATTEMPTS = 3
"""The most moves of a seat that are searched again, until one of them stays the worst."""


def analyze(
    record: Record,
    *,
    time: float | None = 0.2,
    sims: int | None = None,
    total: float | None = None,
    seed: int = 0,
    on_search: Callable[[], None] = lambda: None,
) -> Analysis:
    """Search every position of a game in which a seat was to move.

    Parameters
    ----------
    time, sims
        The limits for each position: seconds and simulations; the worst ones get five times as
        many.
    total
        The most seconds for all positions together; if they are too few, each gets less.
    on_search
        Called after each search; there are at most :func:`most_searches`.
    """
    boards = before_moves(record)
    searches = _Searches(searcher(record.start, seed), time, sims, on_search)
    searches.limit(total, len(boards) + 2 * LONGER * ATTEMPTS * record.start.seats)
    analysis = Analysis(record)
    _search_all(analysis, boards, len(boards), searches)
    _evaluate_end(analysis, searches)
    for seat in range(analysis.seats):
        analysis.worst.append(_worst(analysis, seat, boards, searches))
    return analysis


def analyze_part(
    record: Record,
    first: int,
    count: int,
    *,
    time: float,
    doubts: Mapping[Unit, float] | None = None,
) -> Analysis:
    """Search the positions before some moves of a game: a part of the curve of a page.

    Unlike in :func:`analyze`, values have a measure (:mod:`ludograph.analysis.measure`). The last
    move is evaluated by the position after it, which is searched, too.

    Parameters
    ----------
    first, count
        The first move of a seat, counted from 0, and the number of moves.
    time
        Seconds for each position.
    doubts
        By unit, the least loss of a move that is confirmed by longer searches before and after it,
        unless it is proven. None: no move is confirmed.

    Returns
    -------
    Its ``moves`` are those, its ``measure`` and its ``judge`` are set; ``final`` is set if the last
    move of the game is among them, ``worst`` is empty.
    """
    boards = before_moves(record)[first:]
    found = searcher(record.start, 0)
    unmix(found.search)
    searches = _Searches(found, time, None, lambda: None)
    measure = measure_of(found.search, record.start.seats)
    analysis = Analysis(record, measure=measure, judge=found.name)
    _search_all(analysis, boards, min(count + 1, len(boards)), searches)
    if count >= len(boards):
        _evaluate_end(analysis, searches)
    if doubts is not None:
        drops = [measure.size(each.drop) for each in analysis.moves[:count]]
        large = [index for index, drop in enumerate(drops) if drop >= doubts[measure.unit]]
        for index in large[:CONFIRMED]:
            _confirm(analysis, index, boards, searches)
    del analysis.moves[count:]
    return analysis


def _confirm(
    analysis: Analysis, index: int, boards: list[tuple[Position, Event]], searches: _Searches
) -> None:
    """Search the positions before and after a move again, longer, unless they are proven."""
    for place, each in enumerate(analysis.moves[index : index + 2], index):
        position = boards[place][0]
        if not (each.lost or each.won or position.ply in searches.done):
            searches.evaluate(analysis, place, boards, searches.longer(position))


def _search_all(
    analysis: Analysis, boards: list[tuple[Position, Event]], count: int, searches: _Searches
) -> None:
    """Search the first positions one after the other, and write the moves."""
    for index, (position, event) in enumerate(boards[:count]):
        result = searches.next(position, event.move or 0)
        analysis.moves.append(unevaluated(position, event))
        searches.evaluate(analysis, index, boards, result)


def _evaluate_end(analysis: Analysis, searches: _Searches) -> None:
    """Write the value of the end of a game, and the value after the last move."""
    *_, (end, _) = analysis.record.positions()
    if end.is_over:
        analysis.final = searches.rewards(end)
        _settle(analysis, len(analysis.moves) - 1)


def judge(searcher: Searcher, position: Position, seconds: float) -> MoveAnalysis:
    """Search a position in which a seat is to move; return its value and proofs.

    The seat's best move takes the place of the played one.
    """
    search = searcher.search
    result = search.search(searcher.view.state(position), time=seconds)
    found = MoveAnalysis(
        ply=position.ply + 1,
        seat=position.turn or 0,
        move=result.move,
        played=position.text(result.move),
        seconds=0.0,
        scores=position.scores(),
    )
    write_result(found, position, result, float(search.trees[0].settings.margin_weight))
    return found


def judge_chance(
    searcher: Searcher, position: Position, seconds: float
) -> tuple[int, float] | None:
    """Search the outcomes of chance; return the seat that moves next and its mean reward.

    None if there is no such seat, or not always the same one. All outcomes share the seconds.
    """
    outcomes = chances(position)
    seats: set[int | None] = set()
    total = 0.0
    for move, share in outcomes:
        after = position.copy()
        after.push(move)
        seats.add(after.turn)
        if after.turn is None or len(seats) > 1:
            return None
        total += share * judge(searcher, after, seconds / len(outcomes)).value
    seat = seats.pop()
    return None if seat is None else (seat, total)


def chances(position: Position) -> list[tuple[int, float]]:
    """Return the outcomes of chance in a position, each with its probability."""
    codes = np.array(position.legal_moves(), np.int32)
    shares = np.empty(codes.size, np.float64)
    rules.weights(position.setup, position.state, codes, shares)
    return list(zip(codes.tolist(), shares.tolist(), strict=True))


def most_searches(record: Record) -> int:
    """Return the greatest number of searches of a game."""
    moves = sum(event.move is not None and event.seat is not None for event in record.events)
    return moves + 2 * ATTEMPTS * record.start.seats


def before_moves(record: Record) -> list[tuple[Position, Event]]:
    """Return a copy of the board before each move of a seat, and the move."""
    found = []
    before: Position | None = None
    for position, event in record.positions():
        if event is not None and event.move is not None and event.seat is not None and before:
            found.append((before, event))
        before = position.copy()
    return found


class Searcher(NamedTuple):
    """The search that judges positions.

    Attributes
    ----------
    view
        The game as the search sees it.
    strategy
        The strategy whose search it is.
    name
        The name of the search, for people.
    """

    search: MonteCarlo
    view: SearchView
    strategy: Any
    name: str


def searcher(position: Position, seed: int) -> Searcher:
    """Return the search of the game's own ``mcts``, or the one of all games.

    A search with other moves than those of the game, such as halves of moves, cannot be used.
    """
    own = position.game.strategies.get("mcts")
    strategy: Any = own.create({}, seed) if own else None
    player = strategy
    while player is not None and not isinstance(player, MctsPlayer):
        player = getattr(player, "search", None)
    name = "mcts"
    if player is not None:
        strategy.prepare(position)
    if player is None or player.view is None or not player.view.has_whole_moves:
        strategy = player = MctsPlayer(seed, view=own_view)
        name = "plain mcts with random games"
    search = player.prepare(position)
    assert player.view is not None
    return Searcher(search, player.view, strategy, name)


def own_view(position: Position) -> SearchView:
    """Return a game as a search of its own moves sees it."""
    return position.game.search_view(position, OWN)


class _Searches:
    """A search, with the time limit of each run."""

    def __init__(
        self,
        searcher: Searcher,
        time: float | None,
        sims: int | None,
        on_search: Callable[[], None],
    ) -> None:
        self.strategy, self.search, self.view = searcher.strategy, searcher.search, searcher.view
        self.time, self.sims, self.on_search = time, sims, on_search
        self.deadline: float | None = None
        self.left = 0
        self.done: set[int] = set()

    @property
    def margin_weight(self) -> float:
        return float(self.search.trees[0].settings.margin_weight)

    def limit(self, total: float | None, searches: int) -> None:
        """Divide the seconds among the searches; a longer search counts as five."""
        self.deadline = None if total is None else clock.perf_counter() + total
        self.left = searches

    def next(self, position: Position, move: int) -> MonteCarloResult:
        """Search a position from the tree of the one before; ``move`` was played in it."""
        result = self._run(position, 1)
        self.search.last = (self.view.state(position).copy(), move)
        return result

    def longer(self, position: Position) -> MonteCarloResult:
        """Search a position five times as long, without an earlier tree."""
        self.search.last = None
        self.done.add(position.ply)
        return self._run(position, LONGER)

    def evaluate(
        self,
        analysis: Analysis,
        index: int,
        boards: list[tuple[Position, Event]],
        result: MonteCarloResult,
    ) -> None:
        """Write the result of a search into the analysis of the next move."""
        position = boards[index][0]
        after = boards[index + 1][0] if index + 1 < len(boards) else None
        if after is not None and swap_of(after) is not None:
            evaluate_opening(analysis, index, position, int(self.strategy.choose(position.copy())))
        else:
            write_result(analysis.moves[index], position, result, self.margin_weight)
            analysis.moves[index].line = self.search.line()
            _keep_proof(analysis, index)
            _settle(analysis, index)
            _settle(analysis, index - 1)

    def _run(self, position: Position, times: int) -> MonteCarloResult:
        seconds = None if self.time is None else self.time * times
        if self.deadline is not None:
            share = times * (self.deadline - clock.perf_counter()) / max(times, self.left)
            share = max(0.001, share)
            seconds = share if seconds is None else min(seconds, share)
        self.left -= times
        sims = None if self.sims is None else self.sims * times
        result = self.search.search(self.view.state(position), time=seconds, sims=sims)
        self.on_search()
        return result

    def rewards(self, position: Position) -> list[float]:
        """Return the value of a finished game to each seat, in the search's own scale."""
        settings = self.search.trees[0].settings
        out = np.zeros(position.seats)
        scores = np.array(position.scores())
        to_rewards(scores, float(settings.margin_cap), self.margin_weight, out)
        return [float(value) for value in out]


def unevaluated(position: Position, event: Event) -> MoveAnalysis:
    """Return the analysis of a move before its search: its ply, time and scores."""
    return MoveAnalysis(
        ply=position.ply + 1,
        seat=event.seat or 0,
        move=event.move or 0,
        played=position.text(event.move or 0),
        seconds=event.seconds,
        scores=position.scores(),
    )


def write_result(
    entry: MoveAnalysis, position: Position, result: MonteCarloResult, margin_weight: float
) -> None:
    """Write the value of a position, its best moves, and its proofs."""
    entry.candidates = candidates_of(position, result)
    entry.exchange = exchange_of(position, entry.candidates[0].value)
    if entry.exchange is not None:
        entry.candidates = best_first([*entry.candidates, entry.exchange])[:CANDIDATES]
    entry.value = entry.candidates[0].value
    entry.mean = _value_of(result, entry.move, entry.value)
    if entry.exchange is not None:
        entry.won |= bool(result.high.max() < EVEN)
    elif position.seats > 1:
        sure = max(EVEN, 1.0 - 0.5 * margin_weight - 1e-9)
        entry.lost |= bool(result.high.max() < EVEN)
        entry.won |= bool(result.low.max() > sure)
        entry.kept_win = bool((result.low[result.moves == entry.move] > sure).any())


def _keep_proof(analysis: Analysis, index: int) -> None:
    """Mark a position of two seats as won if the one before it was proven lost for the other.

    Mark it as lost if the other's move is proven to keep its win.

    The search of this position may be too short to prove it again.
    """
    entry, before = analysis.moves[index], analysis.moves[index - 1] if index > 0 else None
    if before is None or analysis.seats != 2 or entry.seat == before.seat:
        return
    if entry.ply != before.ply + 1:
        return
    if before.lost:
        entry.won = True
        entry.value = max(entry.value, 1.0 - before.value)
    elif before.kept_win:
        entry.lost = True
        entry.value = min(entry.value, 1.0 - before.mean)
        entry.candidates = [
            one._replace(value=min(one.value, entry.value)) for one in entry.candidates
        ]


def candidates_of(position: Position, result: MonteCarloResult) -> list[Candidate]:
    """Return the best moves, the best first: the search's choice, then the most visited ones.

    A move that seems better than the choice has few visits, and its value is none: it is left out.
    """
    order = sorted(
        range(result.moves.size),
        key=lambda index: (int(result.moves[index]) != result.move, -int(result.visits[index])),
    )
    found: list[Candidate] = []
    for index in order:
        move, visits = int(result.moves[index]), int(result.visits[index])
        value = _value_of(result, move, EVEN)
        if not found or (visits and value <= found[0].value):
            found.append(Candidate(move, position.text(move), value, visits))
        if len(found) == CANDIDATES:
            break
    return best_first(found)


def best_first(candidates: list[Candidate]) -> list[Candidate]:
    """Return candidates by their values; equal ones stay in their order."""
    return sorted(candidates, key=lambda one: -one.value)


def exchange_of(position: Position, value: float) -> Candidate | None:
    """Return the exchange of sides (such as a swap) in a position of this value, if legal."""
    move = swap_of(position)
    return None if move is None else Candidate(move, position.text(move), 1.0 - value, 0)


def evaluate_opening(analysis: Analysis, index: int, position: Position, move: int) -> None:
    """Write the value of a move that an exchange may answer: with the best move it is even.

    The search does not know exchanges; ``move`` is the move of the game's strategy.
    """
    entry = analysis.moves[index]
    entry.value = entry.mean = EVEN
    entry.candidates = [Candidate(move, position.text(move), EVEN, 0)]
    _settle(analysis, index)


def _value_of(result: MonteCarloResult, move: int, otherwise: float) -> float:
    """Return a move's value within its proven bounds; ``otherwise`` if it has no visits."""
    places = np.flatnonzero(result.moves == move)
    if not places.size:
        return otherwise
    value = float(result.values[places[0]])
    low, high = float(result.low[places[0]]), float(result.high[places[0]])
    return max(low, min(high, otherwise if np.isnan(value) else value))


def _settle(analysis: Analysis, index: int) -> None:
    """Set the value after a move: the value of the position after it.

    It is more reliable than the move's mean in its own search, which may have hardly visited it.
    With more than two seats, or with chance in between, only the mean is used: a lucky draw does
    not make the move before it better.
    """
    if not 0 <= index < len(analysis.moves):
        return
    entry = analysis.moves[index]
    after = entry.mean
    if index + 1 < len(analysis.moves):
        following = analysis.moves[index + 1]
        if analysis.seats <= 2 and following.ply == entry.ply + 1:
            same = following.seat == entry.seat
            after = following.value if same else 1.0 - following.value
    elif analysis.final is not None and entry.ply == analysis.record.plies:
        after = analysis.final[entry.seat]
    entry.after = min(entry.value, after)


def _worst(
    analysis: Analysis, seat: int, boards: list[tuple[Position, Event]], searches: _Searches
) -> MoveAnalysis | None:
    """Return a seat's move with the greatest loss, confirmed by a longer search.

    If the longer search finds a smaller loss, the next worst move is searched, a few times at most.
    """
    own = [index for index, each in enumerate(analysis.moves) if each.seat == seat]

    def drop(index: int) -> float:
        return analysis.moves[index].drop

    seen: list[int] = []
    for _ in range(ATTEMPTS):
        index = max(own, key=drop, default=None)
        if index is None or index in seen or drop(index) <= 0:
            break
        seen.append(index)
        for place in (index, index + 1):
            if place < len(boards) and boards[place][0].ply not in searches.done:
                position = boards[place][0]
                searches.evaluate(analysis, place, boards, searches.longer(position))
    worst = max(seen, key=drop, default=None)
    return None if worst is None or drop(worst) <= 0 else analysis.moves[worst]
