"""Standings and cross tables of a tournament, as plain data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ludograph.arena.played_game import PlayedGame
from ludograph.arena.ratings import Rating, Ratings


@dataclass(slots=True)
class Standing:
    """A player's line.

    Attributes
    ----------
    points
        The sum over its games, see :attr:`PlayedGame.points`.
    wins, draws, losses
        Games in which it was first alone, first with others, not first.
    wins_by_seat
        Wins on each seat.
    forfeits
        Its own forfeits, by reason.
    rating
        None if no ratings were given.
    """

    player: str
    games: int = 0
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    wins_by_seat: Counter[int] = field(default_factory=Counter)
    forfeits: Counter[str] = field(default_factory=Counter)
    rating: Rating | None = None

    @property
    def score(self) -> float:
        """Points per game; 0 without games."""
        return self.points / self.games if self.games else 0.0


def standings(
    games: Iterable[PlayedGame], players: Iterable[str] = (), ratings: Ratings | None = None
) -> list[Standing]:
    """Return a line per player: in the order of the ratings, or of points per game.

    Parameters
    ----------
    players
        More players for the table, whether or not they played.
    """
    games = list(games)
    seated = chain.from_iterable(game.seating for game in games)
    lines = {player: Standing(player) for player in dict.fromkeys(chain(players, seated))}
    count_games(games, lines)
    if ratings is None:
        return sorted(lines.values(), key=lambda line: (-line.score, -line.games))
    place = {}
    for number, rating in enumerate(ratings.table):
        place[rating.player] = number
        lines.setdefault(rating.player, Standing(rating.player)).rating = rating
    return sorted(lines.values(), key=lambda line: place.get(line.player, len(place)))


def count_games(games: Iterable[PlayedGame], lines: Mapping[str, Standing]) -> None:
    """Add games to the lines of their players; a player without a line is left out."""
    by_result: defaultdict[tuple[Any, ...], list[tuple[str, ...]]] = defaultdict(list)
    for game in games:
        by_result[game.ranks, game.forfeits].append(game.seating)
    for (ranks, forfeits), seatings in by_result.items():
        one = PlayedGame(0, seatings[0], ranks, forfeits=forfeits)
        first = [rank == 1 and not one.is_void for rank in ranks]
        seated = zip(*seatings, strict=True)
        for seat, (gained, players) in enumerate(zip(one.points, seated, strict=True)):
            reasons = [forfeit.reason for forfeit in forfeits if forfeit.seat == seat]
            for player, times in Counter(players).items():
                line = lines.get(player)
                if line is None:
                    continue
                line.games += times
                line.points += gained * times
                if not first[seat]:
                    line.losses += times
                elif sum(first) > 1:
                    line.draws += times
                else:
                    line.wins += times
                    line.wins_by_seat[seat] += times
                for reason in reasons:
                    line.forfeits[reason] += times


def alike(games: Iterable[PlayedGame]) -> Iterator[tuple[PlayedGame, int]]:
    """Yield games of the same players with the same result once, with their number.

    Their starts and scores are left out.
    """
    for same, times in Counter((game.seating, game.ranks, game.forfeits) for game in games).items():
        seating, ranks, forfeits = same
        yield PlayedGame(0, seating, ranks, forfeits=forfeits), times


@dataclass(frozen=True, slots=True)
class Meeting:
    """The results of a player in games with one opponent: the one that ranks higher wins."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for each win, half of one for each draw."""
        return self.wins + self.draws / 2


CrossTable = dict[str, dict[str, Meeting]]


def cross_table(games: Iterable[PlayedGame], order: Sequence[str] = ()) -> CrossTable:
    """Return the results of each player against each opponent: ``table[player][opponent]``.

    Games that all seats forfeited are a loss for each player.

    Parameters
    ----------
    order
        The order of players; others come after them. Players that never met have no entry.
    """
    return crossed(alike(games), order)


def crossed(counted: Iterable[tuple[PlayedGame, int]], order: Sequence[str] = ()) -> CrossTable:
    """Return the cross table of games as :func:`alike` yields them, see :func:`cross_table`."""
    counts: dict[str, dict[str, list[int]]] = {player: {} for player in order}
    for game, times in counted:
        seats = list(zip(game.seating, game.ranks, strict=True))
        for seat, (player, rank) in enumerate(seats):
            row = counts.setdefault(player, {})
            for other_seat, (opponent, other_rank) in enumerate(seats):
                if seat == other_seat:
                    continue
                result = 2 if game.is_void or rank > other_rank else int(rank == other_rank)
                row.setdefault(opponent, [0, 0, 0])[result] += times
    return {
        player: {other: Meeting(*row[other]) for other in counts if other in row}
        for player, row in counts.items()
    }
