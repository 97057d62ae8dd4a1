"""The report of a tournament: its standings, cross table, bracket and notes, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ludograph.arena.comparison import Comparison
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.overtime import tie_rule
from ludograph.arena.ratings.rating import Ratings, rate
from ludograph.arena.rendering import (
    bracket_table,
    champion_sentence,
    cross_table_texts,
    notes,
    rating_data,
    repeats,
    standings_sheet,
    standings_table,
    tie_sentences,
)
from ludograph.arena.results import Results
from ludograph.arena.schedules import Duel, Knockout, knockout_of
from ludograph.arena.series_result import SeriesResult
from ludograph.arena.tables import (
    CrossTable,
    Standing,
    cross_table,
    standings,
    swiss_standings,
)
from ludograph.views.table import Table, escaped

SWISS_ORDER = (
    "Players stand by points, which they also get for a round without an opponent, as for wins; "
    "with equal points by those of their opponents (Buchholz), then by rating."
)


@dataclass(frozen=True)
class TournamentReport:
    """The report of games of a tournament, or of several.

    Attributes
    ----------
    title
        The title of the tournament.
    games, players
        All of them; players may have no game yet.
    data
        The fields of the JSON object before the tables.
    ratings
        The ratings; None without rated games.
    knockout
        The bracket of a knockout; None for another format.
    pairing
        The counts of a tournament in which all players sit at one table; None for another one.
    comparison
        The comparison of two players that stops a series, if there is one.
    """

    title: str
    games: Results
    players: Sequence[str]
    data: Mapping[str, Any] = field(default_factory=dict)
    ratings: Ratings | None = None
    knockout: Knockout | None = None
    pairing: SeriesResult | None = None
    comparison: Comparison | None = None

    @cached_property
    def standings(self) -> list[Standing]:
        """The line of each player, the best first."""
        lines = standings(self.games, self.players, self.ratings)
        return swiss_standings(self.games, lines) if self.is_swiss else lines

    @property
    def is_swiss(self) -> bool:
        """Whether it is a Swiss tournament, which is ordered by points."""
        return self.data.get("format") == "swiss"

    @cached_property
    def cross_table(self) -> CrossTable:
        """Each player's results against each other one, in the order of the standings."""
        return cross_table(self.games, [line.player for line in self.standings])

    @cached_property
    def bracket(self) -> list[list[Duel]]:
        """The matches of a knockout by round; empty for another format."""
        return [] if self.knockout is None else self.knockout.bracket(self.games)

    @property
    def champion(self) -> str:
        """The winner of a knockout in a sentence; empty for another format."""
        return champion_sentence(self.bracket[-1][0].winner) if self.bracket else ""

    @property
    def bracket_notes(self) -> list[str]:
        """Sentences below the bracket: the rule for ties, and the matches with one."""
        if self.knockout is None:
            return []
        return [tie_rule(self.knockout.overtime), *tie_sentences(self.bracket)]

    @property
    def remarks(self) -> list[str]:
        """Sentences on the order of a Swiss tournament, and on games that repeat earlier ones."""
        said = repeats(self.games)
        found = [f"{said} With drawn openings the games differ."] if said else []
        return [SWISS_ORDER, *found] if self.is_swiss else found

    @property
    def notes(self) -> list[str]:
        """Sentences below the tables: on ratings, repeated games and the bracket."""
        found = [*notes(self.ratings), *self.remarks, *self.bracket_notes]
        found += [] if self.comparison is None else [self.comparison.sentence]
        found.append(self.forfeits)
        return [sentence for sentence in (*found, self.champion) if sentence]

    @property
    def forfeits(self) -> str:
        """A sentence with the command that shows why players forfeited; empty without forfeits."""
        count = sum((line.forfeits for line in self.standings), Counter[str]())
        reasons = [reason for reason, _ in count.most_common()]
        if not reasons or "tournament" not in self.data:
            return ""
        command = f"ludograph results games {self.data['tournament']} --reason {reasons[0]}"
        others = f"; other reasons are {', '.join(reasons[1:])}" if reasons[1:] else ""
        return f"Why players forfeited: '{command}' lists the games with messages{others}."

    def tables(self, *, cross: bool = True) -> list[Table]:
        """Return the standings, the cross table of more than two players, the counts of a pairing.

        Parameters
        ----------
        cross
            Whether the cross table is wanted.
        """
        pairing = [] if self.pairing is None else self.pairing.tables()
        if self.data.get("format") == "series" and pairing:
            return pairing
        found = [standings_table(self.standings, self.ratings)]
        if cross and len(self.standings) > 2:
            found.append(cross_table_texts(self.cross_table))
        return found + pairing

    def markdown(self, *, cross: bool = True) -> str:
        """Return the tables, the matches of a knockout, and the notes as Markdown."""
        bracket = [bracket_table(self.bracket)] if self.bracket else []
        tables = [table.markdown() for table in (*self.tables(cross=cross), *bracket)]
        return "\n".join([*tables, *(f"{escaped(note)}\n" for note in self.notes)])

    def csv(self) -> str:
        """Return the standings for a grade sheet, as CSV."""
        return standings_sheet(self.standings).csv()

    def to_data(self) -> dict[str, Any]:
        """Return the report as JSON-able data."""
        results = ("wins", "draws", "losses")
        counts = ("games", "points", *results, *(("byes", "buchholz") if self.is_swiss else ()))
        duels = ("players", "points", "winner", "decided_by", "overtime")
        found = {
            **self.data,
            "title": self.title,
            "games": len(self.games),
            "players": [
                {
                    "player": line.player,
                    **({} if line.rating is None else rating_data(line.rating)),
                    **{name: getattr(line, name) for name in counts},
                    "forfeits": dict(sorted(line.forfeits.items())),
                }
                for line in self.standings
            ],
            "meetings": [
                {
                    "player": player,
                    "opponent": other,
                    **{name: getattr(meeting, name) for name in results},
                }
                for player, row in self.cross_table.items()
                for other, meeting in row.items()
            ],
        }
        if self.knockout is not None:
            found["champion"] = self.bracket[-1][0].winner
            found["overtime"] = self.knockout.overtime
            found["bracket"] = [
                [{name: getattr(duel, name) for name in duels} for duel in matches]
                for matches in self.bracket
            ]
        if self.pairing is not None:
            found["pairing"] = self.pairing.to_data()
        if self.comparison is not None:
            found["comparison"] = self.comparison.to_data()
        return found


def is_pairing(declaration: Mapping[str, Any]) -> bool:
    """Tell whether all players of a tournament sit at one table."""
    return len(declaration["names"]) == declaration["seats"]


def tournament_report(
    number: int,
    declaration: Mapping[str, Any],
    games: Results,
    played: Iterable[FinishedGame] | None = None,
) -> TournamentReport:
    """Return the report of a tournament from its store.

    The report does not depend on the order of the games.

    Parameters
    ----------
    played
        The same games, for the counts of a pairing; None: without them.
    """
    games, names = games.sorted(), declaration["names"]
    comparison, pairing = None, None
    if declaration.get("difference"):
        comparison = Comparison(declaration["difference"], (names[0], names[1]), games)
    if played is not None:
        pairing = SeriesResult.empty(names, declaration["players"])
        for game in played:
            pairing.add(game)
    return TournamentReport(
        title=title_of(number, declaration),
        games=games,
        players=names,
        data={"tournament": number, **declaration},
        ratings=None if declaration["format"] == "series" else rated(games, names),
        knockout=knockout_of(declaration),
        pairing=pairing,
        comparison=comparison,
    )


def title_of(number: int, declaration: Mapping[str, Any]) -> str:
    """Return the heading of a tournament's tables."""
    return f"tournament {number}, {declaration['format']}: {declaration['title']}"


def rated(games: Results, players: Sequence[str], **options: Any) -> Ratings | None:
    """Return ratings of games; None if there are none of two seats or more."""
    if not len(games) or games.seats < 2:
        return None
    return rate(games.sorted(), players, **options)
