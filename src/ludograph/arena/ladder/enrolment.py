"""Enrolment: the players of a ladder are the files in a folder, which is watched for changes."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludograph.arena.ladder.folder import SUFFIXES, Entrant, State, unusable
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.lookalikes import look_alike
from ludograph.arena.ladder.orders import changed_orders, read_orders
from ludograph.arena.ladder.submission import (
    Changing,
    SourceCompiler,
    Stamp,
    Submission,
    checked,
    submit,
)
from ludograph.arena.ladder.submission_list import (
    EventKind,
    SubmissionEvent,
    add_event,
    deadline_passed,
    present_versions,
)
from ludograph.errors import HostFailure
from ludograph.formatting import one_line

encode = msgspec.json.encode

BY_OPERATOR = "by an operator"

Say = Callable[[str], None]


class Enrolment:
    """Updates the state of a ladder from its folder of players.

    Attributes
    ----------
    waiting
        Whether there are files that may still grow.
    compiling
        The compiler of sources, which runs in the background.
    """

    def __init__(self, ladder: Ladder, state: State, say: Say) -> None:
        self._ladder, self._state, self._say = ladder, state, say
        self._watcher = Watcher(ladder.folder.players)
        self._known: dict[str, Stamp] = {}
        self.waiting = False
        self.compiling = SourceCompiler(ladder, state)

    def look(self, last_game: int) -> bool:
        """Check the folder once; return whether the state has changed.

        Parameters
        ----------
        last_game
            The number of the last game.

        Raises
        ------
        HostFailure
            If the folder has vanished.
        OSError
            If a copy or a report cannot be written.
        """
        folder = self._ladder.folder
        if not folder.players.is_dir():  # its players are not removed
            raise HostFailure(f"{folder.players}: the folder does not exist any more")
        look = self._watcher.look()
        self.waiting = bool(look.waiting)
        before = encode(self._state)
        self._remove_gone(look)
        new = {name: at for name, at in look.settled.items() if self._known.get(name) != at}
        listed = present_versions(folder) if new else {}
        for name, stamp in sorted(new.items()):
            if twin := self._twin(name, look.names):
                self._trouble(name, f"its name looks like that of {one_line(twin)}: choose another")
            else:
                self._submit(name, stamp, last_game, listed.get(name, ""))
        for name, trouble in look.troubles.items():
            self._trouble(name, trouble)
        if (compiled := self.compiling.look()) is not None:
            self._compiled(compiled, last_game)
        self._obey(last_game)
        return before != encode(self._state)

    def _obey(self, last_game: int) -> None:
        """Carry out the orders of operators about players."""
        folder, state = self._ladder.folder, self._state
        orders = read_orders(folder)
        for one in [one for one in state.entrants if one.name in orders.reinstate]:
            if state.suspended.pop(one.label, ""):  # its earlier faults do not count any more
                place = state.entrants.index(one)
                state.entrants[place] = msgspec.structs.replace(one, joined=last_game)
                folder.write_report(one.name, "")
                self._say(f"{one_line(one.name)} is reinstated")
        for one in state.entrants:
            reason = ": ".join(filter(None, [BY_OPERATOR, orders.suspend.get(one.name)]))
            if one.name in orders.suspend and state.suspended.get(one.label) != reason:
                state.suspended[one.label] = reason
                self._say(f"{one_line(one.name)} is suspended {reason}")
        if orders.reinstate:
            with changed_orders(folder) as later:
                later.reinstate = [each for each in later.reinstate if each not in orders.reinstate]

    def anchors(self) -> None:
        """Enrol the declared anchors."""
        anchors = [Entrant(spec.text) for spec in self._ladder.anchors]
        self._state.entrants = anchors + [one for one in self._state.entrants if one.version]

    def _remove_gone(self, look: Look) -> None:
        """Remove players whose files are gone."""
        state, folder, there = self._state, self._ladder.folder, {*look.names, *look.troubles}
        gone = [one for one in state.entrants if one.version and one.name not in there]
        for one in gone:
            self._say(f"{one_line(one.name)} has left")
            state.entrants.remove(one)
            state.suspended.pop(one.label, None)
        for name in state.troubles.keys() - there:
            del state.troubles[name]
            folder.write_report(name, "")
        for name in state.broken.keys() - look.names:
            del state.broken[name]
        left = self._known.keys() - look.names
        for name in left:
            del self._known[name]
            self.compiling.drop(name)
        left |= {one.name for one in gone}
        for name in sorted(left and left & present_versions(folder).keys()):
            add_event(folder, SubmissionEvent(time.time(), name, EventKind.WITHDRAWN))

    def _twin(self, name: str, names: Collection[str]) -> str:
        """Return the file that a file could pose as; an empty text if there is none.

        Of two files the one that takes part is the original.
        """
        taking_part = {one.name for one in self._state.entrants}
        if name in taking_part:
            return ""
        twins = {other for other in names if other != name and look_alike(name, other)}
        return min((twin for twin in twins if twin in taking_part or twin < name), default="")

    def _submit(self, name: str, stamp: Stamp, last_game: int, listed: str) -> None:
        """Submit a file that is new or has changed; list it unless it is this version."""
        try:
            submission = submit(self._ladder, name, stamp, self._state.broken.get(name, ""))
        except Changing:
            return
        self._known[name] = stamp
        if submission.version not in ("", listed):
            when, form = stamp.changed / 1e9, submission.form
            event = SubmissionEvent(when, name, EventKind.SUBMITTED, submission.version, form=form)
            add_event(self._ladder.folder, event)
            if late := deadline_passed(self._ladder.uploads, when):
                version = submission.version[:8]
                self._say(f"{one_line(name)}, version {version}, came too late: {late}")
        self.compiling.drop(name, submission.version if submission.is_source else "")
        if submission.is_known:
            return
        if submission.is_source:
            if trouble := self.compiling.add(name, submission.version):
                self._refuse(submission._replace(trouble=trouble, final=False))
            return
        self._enrol(submission, last_game)

    def _compiled(self, compiled: Submission, last_game: int) -> None:
        """Enrol a version that was compiled."""
        if compiled.trouble:
            if compiled.final:
                self._state.broken[compiled.name] = compiled.version
            self._refuse(compiled)
            return
        submission = checked(self._ladder, compiled.name, compiled.version)
        self._enrol(submission._replace(report=submission.report or compiled.report), last_game)

    def _refuse(self, submission: Submission) -> None:
        """Note why a file does not play, and write a report for its author."""
        name, version, trouble, detail, report, *_ = submission
        why = ": ".join(filter(None, [trouble, detail]))
        if self._trouble(name, trouble, version, detail) and version and submission.final:
            event = SubmissionEvent(time.time(), name, EventKind.FAILED, version, why=why)
            add_event(self._ladder.folder, event)
        self._ladder.folder.write_report(name, report or f"{name}: {why}\n")

    def _enrol(self, submission: Submission, last_game: int) -> None:
        """Enrol a version, unless something is wrong with it."""
        state, name, version = self._state, submission.name, submission.version
        if submission.trouble:
            self._refuse(submission)
            return
        state.troubles.pop(name, None)
        state.broken.pop(name, None)
        old, entrant = state.named(name), Entrant(name, version, last_game)
        if old is not None and old.version == version:
            return
        if old is None:
            state.entrants.append(entrant)
            self._say(f"{one_line(name)} has joined, version {version[:8]}")
        else:
            state.entrants[state.entrants.index(old)] = entrant
            state.suspended.pop(old.label, None)
            self._say(f"{one_line(name)} has a new version, {version[:8]}")
        self._ladder.folder.write_report(name, submission.report)

    def _trouble(self, name: str, trouble: str, version: str = "", detail: str = "") -> bool:
        """Note why a file does not play; return whether that is new.

        An earlier version of it still plays.
        """
        reason = f"version {version[:8]}: {trouble}" if version else trouble
        is_new = self._state.troubles.get(name) != reason
        if is_new:
            self._state.troubles[name] = reason
            self._say(f"{name} does not play: {': '.join(filter(None, [reason, detail]))}")
        return is_new


SETTLE = 1.0
"""Seconds without a change after which a file counts as completely copied."""

NO_FILE = "it is not a file: put the file itself here"


class Look(NamedTuple):
    """The files in the folder of players.

    Attributes
    ----------
    settled
        Complete files, with their stamps.
    waiting
        Files that may still grow.
    troubles
        Why a file cannot be a player, by name.
    """

    settled: dict[str, Stamp]
    waiting: set[str]
    troubles: dict[str, str]

    @property
    def names(self) -> set[str]:
        """The names of all files that are or may become players."""
        return {*self.settled, *self.waiting}


@dataclass
class Watcher:
    """Finds the files of a folder that have not changed for a while.

    Attributes
    ----------
    clock
        Seconds since 1970, as the file system counts them; another one in tests.
    """

    folder: Path
    clock: Callable[[], float] = time.time
    _since: dict[str, tuple[Stamp, float]] = field(default_factory=dict)

    def look(self) -> Look:
        """Return the present files of the folder.

        A file has settled if it was last changed a second ago, or, for a file system with its own
        clock, if it has stayed the same for a second.

        Raises
        ------
        OSError
            If the folder cannot be read.
        """
        now = self.clock()
        files = Look({}, set(), {})
        since: dict[str, tuple[Stamp, float]] = {}
        with os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.name.endswith(SUFFIXES):
                    continue
                trouble = unusable(entry.name)
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # it was removed at this very moment
                except OSError as error:
                    files.troubles[shown(entry.name)] = str(error.strerror)
                    continue
                if trouble or not stat.S_ISREG(status.st_mode):
                    files.troubles[shown(entry.name)] = trouble or NO_FILE
                    continue
                stamp = Stamp.of(status)
                known, first = self._since.get(entry.name, (None, now))
                first = min(first, now) if known == stamp else now  # the clock may go back
                since[entry.name] = stamp, first
                age = now - max(stamp.changed, stamp.modified) / 1e9
                if age >= SETTLE or now - first >= SETTLE:
                    files.settled[entry.name] = stamp
                else:
                    files.waiting.add(entry.name)
        self._since = since
        return files


def shown(name: str) -> str:
    """Return the name of a file as printable text."""
    return one_line(name if name.isprintable() else ascii(name)[1:-1])
