"""Uploads of players to a ladder: who may send a file of a name, and whether it can play.

A file is compiled, loaded and tried in two games, all in the sandbox, while its author waits at the
page, who so sees errors at once; the ladder then enrols it as it does every file in its folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from anyio import CapacityLimiter
from msgspec.structs import replace

from ludograph.arena.executor import Failure, InProcess
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.ladder import Ladder
from ludograph.arena.ladder.folder import (
    NAME_LIMIT,
    PROGRAM,
    SUFFIXES,
    LadderFolder,
    Spent,
    State,
    unusable,
    write_whole,
)
from ludograph.arena.ladder.lookalikes import look_alike, source_form
from ludograph.arena.ladder.orders import read_orders, withdraw
from ludograph.arena.ladder.people import Role
from ludograph.arena.ladder.submission import (
    Changing,
    Stamp,
    building,
    fault_at_sight,
    files_of,
    keep,
    one_file_advice,
    read,
)
from ludograph.arena.ladder.submission_list import (
    EventKind,
    LimitReached,
    SubmissionEvent,
    add_event,
    check_limits,
    deadline_passed,
    has_attempts,
)
from ludograph.arena.ladder.trials import (
    Trial,
    compared,
    series_of_two,
    trial_of,
    trial_plans,
    version_called,
)
from ludograph.arena.playing import GamePlan
from ludograph.errors import HostFailure, InvalidInput, NotFound
from ludograph.formatting import counted, one_line, without_folders
from ludograph.hosting.build_host import SYNTAX
from ludograph.hosting.compiler import first_errors, load_trouble
from ludograph.hosting.sandboxed_command import Build, Built, SandboxedCommand
from ludograph.players.isolation import MEMORY, Isolation, Level
from ludograph.players.parameters import has_no_player
from ludograph.players.protocol import NO_PLAYER
from ludograph.web.server.tokens import WRONG, Register, Visitor
from ludograph.web.server.work_pools import Overloaded
from ludograph.workers import TooLong

CHECKS = 2
"""The most uploads and comparisons of a person or a team at a time; others have a thread more."""

CHECK_SECONDS = 8.0
"""Seconds for one of them; afterwards the ladder's own compiler decides."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)


VERSION = re.compile(r"[0-9a-f]{8,64}")
"""A version in an address: the beginning of a digest."""

COMPARE_SECONDS = 20.0
"""Seconds for a comparison of two versions."""

COMPARED_SECONDS = 600.0
"""Seconds for all comparisons of a person or a team on a day."""

Play = Callable[[GamePlan], FinishedGame | Failure]
"""Plays a game in another process; raises Overloaded or TooLong if it cannot."""


class NotYours(InvalidInput):
    """The player of that name belongs to another person."""


@dataclass
class Uploads:
    """Takes the players that people send to a ladder.

    Attributes
    ----------
    register
        The people of the ladder.
    granted
        The strongest level of isolation that works here; None if none does.
    missing
        The reason if there is none, in a sentence.
    trouble
        What is wrong in the present file of the ladder: until it is right, its deadline is unknown.
    threads, comparing
        The threads that process uploads, and comparisons: neither pages nor uploads wait for these.
    """

    register: Register
    granted: Level | None
    missing: str
    trouble: str = field(default="", init=False)
    threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(CHECKS + 1))
    comparing: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(CHECKS))
    _spent: Spent = field(default_factory=Spent)
    _compared: Spent = field(default_factory=Spent)
    _under_way: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def turn(self, owner: str) -> Iterator[None]:
        """Count what an owner has under way, so that others need not wait for all of it.

        Raises
        ------
        LimitReached
            If it is much already.
        """
        if self._under_way[owner] >= CHECKS:
            raise LimitReached(f"{CHECKS} uploads or comparisons of yours are under way; wait")
        self._under_way[owner] += 1
        try:
            yield
        finally:
            self._under_way[owner] -= 1

    def closed(self, ladder: Ladder, role: Role) -> str:
        """Return why no player can be submitted; an empty text if one can.

        Parameters
        ----------
        role
            The role of the visitor: operators have no deadline.
        """
        return self._unsafe(ladder) or self._late(ladder, role, time.time())

    def _late(self, ladder: Ladder, role: Role, when: float) -> str:
        """Return why a role can no longer submit or withdraw; an empty text if it can."""
        if role >= Role.OPERATE:
            return ""
        if self.trouble:
            return f"wait until an operator has mended the file of the ladder: {self.trouble}"
        return deadline_passed(ladder.uploads, when)

    def _unsafe(self, ladder: Ladder) -> str:
        """Return why nobody's file can play here; an empty text if it can."""
        if trouble := self.register.trouble:
            return trouble
        wanted = ladder.isolation
        if self.granted is None:
            return self.missing
        if wanted is not None and wanted.level not in (None, self.granted):
            return (
                f"this ladder asks for the isolation {wanted.level}, but uploaded players run only "
                f"in the strictest level of this machine, which is {self.granted}"
            )
        return ""

    def take(
        self,
        ladder: Ladder,
        name: str,
        data: bytes,
        visitor: Visitor,
        play: Play | None = None,
        *,
        anyway: bool = False,
        arrived: float | None = None,
    ) -> str:
        """Write a player's file into the folder of the ladder, which then enrols it.

        Parameters
        ----------
        play
            Plays a game of the trial in a process; raises Overloaded or TooLong if it cannot be
            played now. None: there is no trial.
        anyway
            Whether a player that fails its trial takes part all the same.
        arrived
            When it came, in seconds since 1970: it may have waited for others since. None: now.

        Returns
        -------
        message
            The outcome, in a sentence.

        Raises
        ------
        NotYours
            If another person submitted the player of that name, or it was ever copied by hand.
        LimitReached
            If the visitor has submitted as many as the ladder allows.
        InvalidInput
            If the deadline was before, it cannot be a player, does not compile, or fails its trial;
            or if none can be submitted.
        OSError
            If the disk is full.
        """
        folder = ladder.folder
        if closed := self._unsafe(ladder):
            raise InvalidInput(closed)
        if not folder.players.is_dir():
            raise InvalidInput("the folder of the players is gone")
        event = SubmissionEvent(
            time.time() if arrived is None else arrived,
            one_line(name, NAME_LIMIT),
            EventKind.SUBMITTED,
            hashlib.sha256(data).hexdigest(),
            visitor.owner,
            "" if visitor.person is None else visitor.person.id,
            form=source_form(name, data),
        )
        try:
            if not name.endswith(SUFFIXES) or not NAME.fullmatch(name) or unusable(name):
                kinds = ", ".join(SUFFIXES)
                raise InvalidInput(
                    f"a player is a file of ASCII letters, digits and ._- that ends with {kinds}"
                )
            playable = self._admitted(ladder, event, data, visitor)
            said = self._tried(ladder, name, playable, play, anyway=anyway)
        except InvalidInput as error:
            refused = replace(event, what=EventKind.REFUSED, why=without_folders(str(error)))
            with folder.people_locked():
                if self._is_there(visitor, folder) and has_attempts(ladder, visitor.owner):
                    add_event(folder, refused)
            raise
        with folder.people_locked():
            owners, is_own = self._check_allowed(ladder, name, visitor)
            if is_own and owners.get(name) not in visitor.owners:
                owners[name] = visitor.owner
                write_whole(folder.owners, msgspec.json.encode(owners))
            place = folder.place(name, event.version)
            if playable and not place.exists():  # so the ladder need not compile it again
                files = files_of(name, data, ladder.game.interop.library)
                keep(place, {**files, folder.played_file(name, place.name).name: playable})
            add_event(folder, event)  # before the ladder sees the file
            try:
                write_whole(folder.players / name, data)
            except OSError as error:
                failed = replace(event, what=EventKind.FAILED, why=f"it was lost: {error.strerror}")
                add_event(folder, failed)
                raise
        return f"{name} is uploaded. {said}"

    def _admitted(
        self, ladder: Ladder, event: SubmissionEvent, data: bytes, visitor: Visitor
    ) -> bytes:
        """Return what plays, empty if unknown; raise InvalidInput if it may not take part."""
        name, late = event.file, self._late(ladder, visitor.role_in(ladder.folder.name), event.time)
        try:
            self._check_allowed(ladder, name, visitor)
        except LimitReached:
            if not late:  # no limit of today opens it again
                raise
        if late or not data:
            raise InvalidInput(late or "the file is empty")
        alike = [other for other in os.listdir(ladder.folder.players) if look_alike(name, other)]
        if alike and name not in alike:
            twin = one_line(alike[0], 60)
            raise InvalidInput(f"{name} looks like {twin}, which is there already")
        fault, playable = self.checked(ladder, name, data, visitor.owner)
        if fault:
            advice = one_file_advice(fault)
            also = f". {advice.removesuffix('.')}" if advice else ""
            raise InvalidInput(f"{name} was not accepted: {fault}{also}")
        return playable

    def _tried(
        self, ladder: Ladder, name: str, playable: bytes, play: Play | None, *, anyway: bool
    ) -> str:
        """Return the outcome of a trial in sentences; raise InvalidInput if it fails."""
        joins = "While the ladder runs, it takes part within seconds."
        if name in read_orders(ladder.folder).suspend:
            joins = "It stays suspended until an operator reinstates it."
        if not playable:
            return (
                f"What the compiler says will be on /ladders/{ladder.folder.name}/players/{name}."
            )
        if play is None:
            return joins
        trial = self._trial(ladder, name, playable, play)
        if trial is None:
            return f"Its trial could not be played to its end. {joins}"
        if not trial.fault:
            won = f"{trial.wins} of {counted(trial.games, 'game')}"
            return f"It plays: it won {won} of its trial against {ladder.anchors[0].text}. {joins}"
        if not anyway:
            raise InvalidInput(f"{name} does not join, because it failed its trial: {trial.fault}")
        return f"It failed its trial: {trial.fault}. {joins}"

    def _trial(self, ladder: Ladder, name: str, playable: bytes, play: Play) -> Trial | None:
        """Return the result of the trial of a player; None if it was not played to its end."""
        with tempfile.TemporaryDirectory(prefix="ludograph-") as made:
            os.chmod(made, 0o755)
            path = Path(made) / (f"{name}.so" if name.endswith(".c") else name)
            path.write_bytes(playable)
            path.chmod(0o755)
            games: list[FinishedGame] = []
            for plan in trial_plans(ladder, ladder.player_in(name, path), self.isolation(ladder)):
                try:
                    game = play(plan)
                except (Overloaded, TooLong):
                    return None
                if not isinstance(game, FinishedGame):
                    return None
                games.append(game)
                if (trial := trial_of(games, name)).fault:
                    break
            return trial._replace(fault=trial.fault.replace(f"{made}/", ""))

    def isolation(self, ladder: Ladder) -> Isolation:
        """Return the isolation of uploaded files."""
        memory = ladder.isolation.memory if ladder.isolation is not None else MEMORY
        return Isolation(self.granted, memory)

    def compare(
        self, ladder: Ladder, state: State, names: Sequence[str], visitor: Visitor, play: Play
    ) -> str:
        """Compare two versions of a visitor's player for a while; return the answer in a sentence.

        Raises
        ------
        NotFound
            If a version is not kept.
        LimitReached
            If the visitor has used up the time for comparisons of this day.
        InvalidInput
            If they cannot be compared, or a game has no result.
        """
        if closed := self._unsafe(ladder):
            raise InvalidInput(closed)
        left = COMPARED_SECONDS - self._compared.today(visitor.owner)
        if left <= 0 and visitor.role_in(ladder.folder.name) < Role.OPERATE:
            raise LimitReached(
                f"you have compared versions for {COMPARED_SECONDS / 60:g} minutes today; a new "
                "day begins at midnight (UTC)"
            )
        players = [version_called(ladder, state, name) for name in names]
        series = series_of_two(ladder, players, self.isolation(ladder))
        began = time.monotonic()
        try:
            executor: InProcess[GamePlan, FinishedGame] = InProcess(lambda plan, _: play(plan))
            return compared(series, executor, COMPARE_SECONDS).sentence
        finally:
            self._compared.add(visitor.owner, time.monotonic() - began)

    def withdraw(self, ladder: Ladder, name: str, visitor: Visitor) -> str:
        """Withdraw a player; return the outcome in a sentence.

        Raises
        ------
        NotYours
            If it is the player of another person, and the visitor no operator.
        NotFound
            If there is no such file.
        InvalidInput
            If the deadline was before, or it cannot be moved.
        """
        folder = ladder.folder
        if unusable(name) or not (folder.players / name).exists():
            raise NotFound("there is no such player")
        if not may_read_output(self.register, name, visitor):
            raise NotYours(f"only its author, the team or an operator can withdraw {name}")
        if late := self._late(ladder, visitor.role_in(folder.name), time.time()):
            raise InvalidInput(late)
        withdraw(folder, name, visitor.owner, "" if visitor.person is None else visitor.person.id)
        return f"{name} is withdrawn. Its games stay; the same name can be uploaded again."

    def source(self, ladder: Ladder, name: str, version: str, visitor: Visitor) -> bytes:
        """Return the file of a version.

        Raises
        ------
        NotFound
            If it is not kept.
        NotYours
            If it is the player of another person, and the visitor no operator.
        """
        folder = ladder.folder
        if not name.endswith(SUFFIXES) or unusable(name) or not VERSION.fullmatch(version):
            raise NotFound("there is no such version")
        if not may_read_output(self.register, name, visitor):
            raise NotYours(f"only its author, the team or an operator can read {name}")
        place = folder.place(name, version)
        for path in (place / name, folder.players / name, folder.withdrawn / name):
            with suppress(OSError, Changing, InvalidInput):
                data = read(path, Stamp.of(path.lstat()))
                if hashlib.sha256(data).hexdigest().startswith(version):
                    return data
        raise NotFound(f"this version of {name} is not kept any more")

    def _check_allowed(
        self, ladder: Ladder, name: str, visitor: Visitor
    ) -> tuple[dict[str, str], bool]:
        """Return the owners of players, and whether the visitor owns a player, or will own it.

        Operators may replace each player, which stays that of its owner.

        Raises
        ------
        NotYours
            If the player belongs to another person.
        LimitReached
            If the visitor has as many as the ladder allows.
        """
        folder = ladder.folder
        if not self._is_there(visitor, folder):
            raise NotYours(WRONG)
        owners = folder.read_owners()
        own = owned(self.register, visitor, owners)
        taken = name in owners or name in assigned(self.register)
        places = (folder.players, folder.versions, folder.withdrawn)
        there = [(place / name).exists() for place in places]
        is_own = name in own or not (taken or any(there))  # who owns a name reads its old games
        if visitor.role_in(folder.name) < Role.OPERATE:
            if not is_own:
                raise NotYours(f"somebody else has uploaded {name}; choose another name")
            present = {one for one in own if (folder.players / one).exists()}
            check_limits(ladder, visitor.owner, name, own, present)
        return owners, is_own

    def _is_there(self, visitor: Visitor, folder: LadderFolder) -> bool:
        """Tell whether a visitor has not left the ladder meanwhile."""
        person = visitor.person_in(folder.name)
        return person is None or person in self.register.people

    def checked(self, ladder: Ladder, name: str, data: bytes, owner: str) -> tuple[str, bytes]:
        """Return the fault in a player's file, and what plays: the file, or the compiled library.

        Both are empty if nothing is known, because the compiler takes long, or the owner's time is
        used up: then the ladder's own compiler decides.
        """
        if fault := fault_at_sight(name, data, ladder.game):
            return fault, b""
        if name.endswith(PROGRAM):
            return "", data
        built = self._built(ladder, name, data, owner)
        if built is None:
            return "", data if name.endswith(".so") else b""
        if built.file is None and not name.endswith(".so"):
            too_long = built.seconds >= CHECK_SECONDS
            return "" if too_long else first_errors(name, built.said), b""
        if name.endswith(".py"):
            return (f"{name} {NO_PLAYER}" if has_no_player(data) else ""), data
        trouble = load_trouble(built)
        return trouble and f"{name} {trouble}", built.file or data

    def _built(self, ladder: Ladder, name: str, data: bytes, owner: str) -> Built | None:
        """Return the result of the compiler or of the trial load; None if it is unknown."""
        if self._spent.today(owner) >= ladder.compile_seconds:
            return None
        interface = ladder.game.interop.library
        try:
            with tempfile.TemporaryDirectory(prefix="ludograph-") as made:
                os.chmod(made, 0o755)
                for file, content in files_of(name, data, interface).items():
                    (Path(made) / file).write_bytes(content)
                if name.endswith(".py"):
                    command = SandboxedCommand([SYNTAX, f"./{name}"], made, CHECK_SECONDS)
                else:
                    command = building(Path(made) / name, interface, CHECK_SECONDS)
                build = Build(command, self.isolation(ladder))
                is_done = build.is_done(CHECK_SECONDS)
                built = build.result() if is_done else None
                self._spent.add(owner, build.elapsed if built is None else built.seconds)
                if built is None:
                    build.cancel()
                return None if built is None or built.refused else built
        except HostFailure:
            return None


def assigned(register: Register) -> set[str]:
    """Return the files that the list of people names."""
    return {file for person in register.people for file in person.players}


def owned(register: Register, visitor: Visitor, owners: Mapping[str, str]) -> set[str]:
    """Return the files of a visitor; none with a token of another ladder.

    Parameters
    ----------
    owners
        The owners of the players that were submitted on pages, by the players' names.
    """
    if visitor.person is None:
        own = {file for file, owner in owners.items() if owner in visitor.owners}
        return own - assigned(register)
    person = visitor.person_in(register.folder.name)
    return set() if person is None else set(person.owned(owners))


def may_read_output(register: Register, player: str, visitor: Visitor) -> bool:
    """Tell whether a visitor may read what the author of a player wrote, and the report for it.

    That is the text of its exceptions, prints and thoughts, and what a compiler says: all may show
    parts of the source. Operators may read it, and the author with the author's team. A player
    without a file, which is built in or whose author was removed, has nothing of the kind.
    """
    if not player.endswith(SUFFIXES):
        return False
    if visitor.role_in(register.folder.name) >= Role.OPERATE:
        return True
    if register.trouble or not visitor.is_known:  # the authors cannot be read
        return False
    return player in owned(register, visitor, register.folder.read_owners())
