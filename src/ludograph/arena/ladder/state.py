"""The state of a ladder: its present players and suspensions, stored in ``state.json``."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from ludograph.arena.ladder.folder import LadderFolder, read_json, write_whole
from ludograph.arena.store.history import LABEL_LETTERS, label_of


class Entrant(msgspec.Struct, frozen=True):
    """A version of a player that takes part.

    Attributes
    ----------
    name
        The name of its file; of a built-in player its name on the command line.
    version
        The digest of its file; empty for a built-in player.
    joined
        The number of the last game before it came.
    """

    name: str
    version: str = ""
    joined: int = 0

    @property
    def label(self) -> str:
        """Its name in schedules and ratings."""
        return label_of(self.name, self.version)


class Spent(msgspec.Struct):
    """The used parts of the authors' daily budgets: seconds of compiling, or uploads.

    Attributes
    ----------
    amounts
        The amounts by author; in the file the field is called ``seconds``.
    """

    day: str = ""
    amounts: dict[str, float] = msgspec.field(default_factory=dict, name="seconds")

    def today(self, author: str) -> float:
        """Return the amount of an author today."""
        return self.amounts.get(author, 0.0) if self.day == today() else 0.0

    def add(self, author: str, amount: float) -> None:
        """Add to the amount of an author; those of other days are forgotten."""
        spent = self.today(author)
        if self.day != today():
            self.day, self.amounts = today(), {}
        self.amounts[author] = round(spent + amount, 3)


def today() -> str:
    """Return the day (UTC) for which budgets count."""
    return datetime.now(UTC).date().isoformat()


class State(msgspec.Struct):
    """The players of a ladder.

    Attributes
    ----------
    number
        The number of the ladder's tournament in the store.
    entrants
        The active players, and the suspended ones.
    suspended
        Why an entrant does not play any more, by label.
    troubles
        Why a file in the players' folder does not play, by name; in the file it is called
        ``refused``. Like the reasons of suspensions, these are for everybody: what a player's
        author wrote, such as the text of an exception or of a compiler's message, is in reports.
    broken
        Versions of sources that do not compile, by name: they are not compiled again.
    compiling
        The time that compilations have taken today.
    mark
        The unique mark of the ladder's games in a database on a server; empty if the games are in
        the file of the folder.
    workers
        The number of games at a time in the last run; 0 if it is not known.
    """

    number: int = 0
    entrants: list[Entrant] = []
    suspended: dict[str, str] = {}
    troubles: dict[str, str] = msgspec.field(default_factory=dict, name="refused")
    broken: dict[str, str] = {}
    compiling: Spent = msgspec.field(default_factory=Spent)
    mark: str = ""
    workers: int = 0

    @property
    def active(self) -> list[Entrant]:
        """The entrants that are not suspended."""
        return [one for one in self.entrants if one.label not in self.suspended]

    def waits_for(self, seats: int) -> str:
        """Return the sentence on missing players for a game; empty if there are enough.

        Games need at least one player that is not built in.

        Parameters
        ----------
        seats
            The number of seats of the game.
        """
        active = self.active
        if not any(one.version for one in active):
            return "The ladder waits for its first player: games begin when one is uploaded."
        if len(active) < seats:
            return f"The ladder waits for more players: a game has {seats} seats."
        return ""

    def named(self, name: str) -> Entrant | None:
        """Return the entrant of a name; None if there is none."""
        return next((one for one in self.entrants if one.name == name), None)


def read_state(folder: LadderFolder) -> State:
    """Return the state of a ladder; an empty one if it has never run.

    Raises
    ------
    InvalidInput
        If the file is damaged.
    """
    advice = "; without it 'ludograph ladder run' checks all players again"
    return read_json(folder.state, State, advice) or State()


def write_state(folder: LadderFolder, state: State) -> None:
    """Write the state of a ladder."""
    write_whole(folder.state, msgspec.json.format(msgspec.json.encode(state)))


def parted(label: str) -> tuple[str, str]:
    """Return the name and the beginning of the version of a label.

    Examples
    --------
    >>> parted("bot.py@0123456789ab"), parted("greedy")
    (('bot.py', '0123456789ab'), ('greedy', ''))
    """
    name, at, version = label.rpartition("@")
    return (name, version) if at and len(version) == LABEL_LETTERS else (label, "")
