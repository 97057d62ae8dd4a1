"""The options of Carcassonne."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.declaration import Declaration, Help, Values
from ludograph.games.options import Alias, Flag, Form, Option, OptionType, Unexpected, Whole, Word

if TYPE_CHECKING:
    from ludograph.games.carcassonne.decks import Deck

COURSE, OFFICIAL = RULES = ("course", "official")
MODES = ("NO_MEEPLE", "INFINITE_MEEPLE", "FINITE_MEEPLE")
FINITE = MODES[2]
SPELLINGS = {
    spelling: mode
    for number, mode in enumerate(MODES)
    for short in [mode.removesuffix("_MEEPLE").lower()]
    for spelling in (str(number), short, f"{short}-meeple")
}
"""The numbers and shorter names of the modes."""

COURSE_SIZE = Whole(2, 10_000)


class DeckType(OptionType):
    """A deck: ``classic``, ``course``, ``course:100`` or a file."""

    metavar = "DECK"
    deferred = True
    expected = "classic, course, course:SIZE or a file"
    trials = ("course:2", "course:8", "course:30", "classic")

    def reads(self, text: str) -> bool:
        """Tell whether a text names a file rather than a built-in deck."""
        from ludograph.games.carcassonne import decks

        name, colon, _ = text.partition(":")
        return text not in decks.BUILT_IN and not (colon and name == "course")

    def parse(self, text: str) -> Deck:
        """Return the deck; raise InvalidInput if the file is not valid."""
        from ludograph.games.carcassonne import decks

        name, colon, size = text.partition(":")
        if name == "course" and colon:
            return decks.course(COURSE_SIZE.parse(size))
        if text in decks.BUILT_IN:
            return decks.BUILT_IN[text]()
        if Path(text).suffix or "/" in text or os.path.isfile(text):
            return decks.read_deck(text)
        raise Unexpected(self.expected)

    def check(self, value: Any) -> Deck:
        """Return a deck, or the deck named by a text."""
        from ludograph.games.carcassonne.decks import Deck

        return value if isinstance(value, Deck) else super().check(value)

    def to_text(self, value: Deck) -> str:
        """Return the deck's name; for the course's deck also its size."""
        return f"course:{value.size}" if value.name == "course" else value.name

    def to_data(self, value: Deck) -> dict[str, Any]:
        """Return the contents of a deck file, as a dictionary."""
        from ludograph.games.carcassonne import decks

        return decks.to_data(value)

    def from_data(self, data: Any) -> Deck:
        """Return the deck; raise InvalidInput with the fault in the data."""
        from ludograph.games.carcassonne import decks

        if not isinstance(data, Mapping):
            raise Unexpected("an object as in a deck file")
        return decks.from_data(data, "carcassonne: deck")


def resolve(given: Values) -> Values:
    """Replace the size of the course's deck by a deck, and add the rules that options imply.

    Modes, the course's deck and ``no-discard`` belong to the course rules. The official rules have
    only one mode.
    """
    rest = dict(given)
    size = rest.pop("size", None)
    if size is not None:
        if rest.get("deck") != "course":
            raise InvalidInput("--size is for --deck course; other decks have a fixed size")
        rest["deck"] = f"course:{size}"
    of_course = str(rest.get("deck", "")).partition(":")[0] == "course"
    if "mode" in rest or of_course or rest.get("discard") is False:
        rest.setdefault("rules", COURSE)
    if str(rest.get("rules", COURSE)).lower() == OFFICIAL:
        rest.setdefault("mode", FINITE)
    return rest


def title(values: Values) -> list[str]:
    """Return the deck, the rules, the mode, and the treatment of tiles that fit nowhere."""
    deck = values["deck"]
    found = [f"{deck.name} deck of {deck.size} tiles" if deck.name else f"{deck.size} tiles"]
    if values["rules"] == OFFICIAL:
        return [*found, "official rules", counted(values["meeples"], "meeple")]
    found.append("course rules")
    found.append(f"{FINITE} {values['meeples']}" if values["mode"] == FINITE else values["mode"])
    return [*found, "discard" if values["discard"] else "no discard"]


DECLARATION = Declaration(
    name="carcassonne",
    summary="lay tiles that fit, and close roads and castles",
    home="ludograph.games.carcassonne.game:carcassonne",
    order=2,
    strategies=("expectimax", "greedy", "mcts", "net", "random"),
    seats=(2, 64),
    options=(
        Option(
            "rules",
            Word(RULES),
            COURSE,
            f"{COURSE}: rules of the programming course; {OFFICIAL}: rules of the board game; "
            f"with a human, {OFFICIAL}",
            form=Form(
                "Rules",
                "official: as in the board game, with monasteries, shields, farmers and points at "
                "the end; course: a simpler game, in which only what is closed counts",
                {OFFICIAL: "official rules", COURSE: "course rules"},
                value=OFFICIAL,
            ),
        ),
        Option(
            "mode",
            Word(MODES, SPELLINGS),
            MODES[0],
            f"use of meeples: {', '.join(MODES)}; or no-meeple, infinite, finite; or 0, 1, 2; "
            f"with a human, {FINITE}",
            "m",
            only_with=("rules", COURSE),
            form=Form(
                "Meeples",
                "by the course rules, without meeples the player who closes a road, castle or "
                "field gets the points; with them, the player with most meeples there",
                dict(zip(MODES, ("none", "unlimited", "a limited number"), strict=True)),
                value=FINITE,
            ),
        ),
        Option(
            "deck",
            DeckType(),
            "classic",
            "deck of tiles: classic, course:72 or a file",
            form=Form(
                "Tiles",
                "course:30, for example, has 30 tiles of four simple kinds",
                {
                    "classic": "the board game's 72",
                    "course:12": "12 of four kinds: short",
                    "course:24": "24 of four kinds",
                    "course:72": "72 of four kinds",
                },
                others="others …",
            ),
        ),
        Option(
            "meeples",
            Whole(1, 10_000),
            7,
            f"number of meeples of each player, with {FINITE}",
            only_with=("mode", FINITE),
            form=Form(
                "Meeples each",
                "a meeple returns to its player when its road, castle or field is closed",
            ),
        ),
        Option(
            "discard",
            Flag(both=True),
            True,
            "replace a tile that fits nowhere by another one, or let its player drop out, as in "
            "the "
            "course (default: replace; drop out with a C player)",
            form=Form(
                "Unfit tiles",
                "are put away, and the player gets another one; if not, the player is out",
            ),
        ),
    ),
    aliases=(Alias("size", COURSE_SIZE, None, "number of tiles in the course's deck"),),
    resolve=resolve,
    title=title,
    with_libraries={"rules": COURSE, "discard": False},
    with_people={"rules": OFFICIAL, "mode": FINITE},
    anchors=("greedy", "random"),
    steps=(
        "random",
        "greedy:random=0.9",
        "greedy:random=0.75",
        "greedy:random=0.6",
        "greedy:random=0.3",
        "greedy",
        "mcts:sims=1000",
    ),
    trials=tuple(
        {"deck": deck, "mode": mode, "seats": seats}
        for deck, seats in (("course:24", "2"), ("classic", "2"), ("course:24", "3"))
        for mode in MODES
    ),
    help=Help(
        "Tiles are dealt from a deck; the seed fixes their order, whatever the players do.",
        """\
  ludograph carcassonne mcts:time=0.5 greedy                the 72 tiles of the board game
  ludograph carcassonne -m finite --meeples 3 my.py mcts    three meeples each
  ludograph carcassonne --deck course -r 100 my.py mcts     a hundred games, seats exchanged
  ludograph carcassonne -m 1 --deck my.json mcts mcts mcts  tiles of your own, three players
""",
        (
            "Each turn you get a tile. Put it beside other tiles, and turn it so that roads, "
            "castles and fields continue over every edge that it touches.",
            "By the official rules, you may then put a meeple on a road, castle, field or "
            "monastery of this tile, if no meeple stands there yet. A finished road gives 1 point "
            "for each tile. A finished castle gives 2 points for each tile and each shield. A "
            "monastery with tiles all around it gives 9 points. Then its meeples return to their "
            "players. The player with most meeples there gets the points; in a tie, each of these "
            "players gets them.",
            "At the end, an unfinished road or castle gives 1 point for each tile and each "
            "shield, a monastery gives 1 point and 1 more for each tile around it, and a field "
            "gives 3 points for each finished castle that it touches.",
            "By the course rules, only roads, castles and fields that are closed on all sides "
            "count: a castle gives 8 points for each vertex, a road 4 and a field 1. Each tile has "
            "three vertices on each side and one in the middle; two tiles that touch share the "
            "three vertices between them. A road of one vertex, between two crossings, gives "
            "nothing. Without meeples, the player who closes it gets the points. With meeples, the "
            "player with most meeples there gets them; in a tie, nobody does. Monasteries and "
            "shields do not count.",
            "After the last tile, the player with most points wins.",
        ),
    ),
)
