"""Players come and go: what is in their folder becomes who takes part."""

from __future__ import annotations

from collections.abc import Callable

from ludograph.arena.ladder.declaration import Ladder
from ludograph.arena.ladder.intake import Changing, take
from ludograph.arena.ladder.roster import Look, Stamp, Watcher
from ludograph.arena.ladder.state import Entrant, State
from ludograph.quoting import one_line

Say = Callable[[str], None]


class Entering:
    """Keeps a state as the players' folder has it.

    Attributes
    ----------
    waiting
        Whether files are there that may still grow.
    """

    def __init__(self, ladder: Ladder, state: State, say: Say) -> None:
        self._ladder, self._state, self._say = ladder, state, say
        self._watcher = Watcher(ladder.folder.players)
        self._known: dict[str, Stamp] = {}
        self.waiting = False

    def look(self, last_game: int) -> bool:
        """Look at the folder once; return whether somebody has come or gone, or changed.

        Parameters
        ----------
        last_game
            The number of the last game.

        Raises
        ------
        HostFailure
            If the folder has vanished.
        OSError
            If what was found cannot be kept.
        """
        folder = self._ladder.folder
        folder.check_there()
        look = self._watcher.look()
        self.waiting = bool(look.waiting)
        before = list(self._state.entrants), dict(self._state.troubles), dict(self._state.aside)
        self._let_go(look)
        for name, stamp in sorted(look.settled.items()):
            if self._known.get(name) != stamp:
                self._take(name, stamp, last_game)
        for name, trouble in look.troubles.items():
            self._trouble(name, trouble)
        after = self._state.entrants, self._state.troubles, self._state.aside
        return before != after

    def anchors(self) -> None:
        """Have those built-in players take part that were declared, and no others."""
        wanted = [spec.text for spec in self._ladder.anchors]
        known = [one for one in self._state.entrants if one.version]
        self._state.entrants = [*map(Entrant, wanted), *known]

    def _let_go(self, look: Look) -> None:
        """Take those out whose file is not there any more."""
        state, gone = self._state, []
        for one in state.entrants:
            if one.version and one.name not in look.names and one.name not in look.troubles:
                gone.append(one)
        for one in gone:
            self._say(f"{one_line(one.name)} has left")
            state.entrants.remove(one)
            state.aside.pop(one.label, None)
        for name in [name for name in state.troubles if name not in {*look.names, *look.troubles}]:
            del state.troubles[name]
            self._ladder.folder.write_report(name, "")
        for name in [name for name in self._known if name not in look.names]:
            del self._known[name]

    def _take(self, name: str, stamp: Stamp, last_game: int) -> None:
        """Take a file in that is new or has changed."""
        state, folder = self._state, self._ladder.folder
        try:
            taken = take(self._ladder, name, stamp)
        except Changing:
            return
        self._known[name] = stamp
        old = state.named(name)
        if taken.trouble:
            self._trouble(name, taken.trouble, taken.version)
            folder.write_report(name, taken.report or f"{name}: {taken.trouble}\n")
            return
        state.troubles.pop(name, None)
        if old is not None and old.version == taken.version:
            return
        folder.write_report(name, taken.report)
        entrant = Entrant(name, taken.version, last_game)
        if old is None:
            state.entrants.append(entrant)
            self._say(f"{one_line(name)} has come, version {taken.version[:8]}")
        else:
            state.entrants[state.entrants.index(old)] = entrant
            state.aside.pop(old.label, None)
            self._say(f"{one_line(name)} has a new version, {taken.version[:8]}")

    def _trouble(self, name: str, trouble: str, version: str = "") -> None:
        """Note why a file does not play; an earlier version of it goes on."""
        told = f"version {version[:8]}: {trouble}" if version else trouble
        if self._state.troubles.get(name) != told:
            self._state.troubles[name] = told
            self._say(f"{name} does not play: {told}")
