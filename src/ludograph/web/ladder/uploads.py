"""Uploads of players to a ladder: who may send a file of a name, and whether it can play.

A file is compiled and loaded in the sandbox while its author waits at the page, who so sees errors
at once; the ladder then enrols it as it does every file in its folder.
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from anyio import CapacityLimiter

from ludograph.arena.ladder import Ladder
from ludograph.arena.ladder.folder import PROGRAM, SUFFIXES, unusable, write_whole
from ludograph.arena.ladder.grades import file_in
from ludograph.arena.ladder.lookalikes import look_alike
from ludograph.arena.ladder.one_file import one_file_advice
from ludograph.arena.ladder.orders import withdraw
from ludograph.arena.ladder.people import Role
from ludograph.arena.ladder.state import Spent
from ludograph.arena.ladder.submission import building, fault_at_sight, files_of
from ludograph.arena.ladder.upload_limits import check_limits, count_upload, deadline_passed
from ludograph.errors import HostFailure, InvalidInput, NotFound
from ludograph.formatting import one_line
from ludograph.hosting.compiler import first_errors, load_trouble
from ludograph.hosting.sandboxed_command import SYNTAX, Build, Built, SandboxedCommand
from ludograph.players.isolation import MEMORY, Isolation, Level
from ludograph.players.parameters import has_no_player
from ludograph.players.protocol import NO_PLAYER
from ludograph.web.server.tokens import Register, Visitor

CHECKS = 2
"""The most files compiled at a time for people who wait at their pages."""

CHECK_SECONDS = 8.0
"""Seconds for one of them; afterwards the ladder's own compiler decides."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)


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
    threads
        The threads that process uploads; pages do not wait for them.
    """

    register: Register
    granted: Level | None
    missing: str
    threads: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2 * CHECKS))
    _free: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(CHECKS))
    _spent: Spent = field(default_factory=Spent)

    def closed(self, ladder: Ladder, role: Role) -> str:
        """Return why no player can be submitted; an empty text if one can.

        Parameters
        ----------
        role
            The role of the visitor: operators have no deadline.
        """
        if trouble := self.register.trouble:
            return trouble
        if role < Role.OPERATE and (late := deadline_passed(ladder.uploads)):
            return late
        wanted = ladder.isolation
        if self.granted is None:
            return self.missing
        if wanted is not None and wanted.level not in (None, self.granted):
            return (
                f"this ladder asks for the isolation {wanted.level}, but uploaded players run only "
                f"in the strictest level of this machine, which is {self.granted}"
            )
        return ""

    def take(self, ladder: Ladder, name: str, data: bytes, visitor: Visitor) -> str:
        """Write a player's file into the folder of the ladder, which then enrols it.

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
            If it cannot be a player, or none can be submitted, or it does not compile.
        OSError
            If the disk is full.
        """
        folder = ladder.folder
        if closed := self.closed(ladder, visitor.role_in(folder.name)):
            raise InvalidInput(closed)
        if not name.endswith(SUFFIXES) or not NAME.fullmatch(name) or unusable(name):
            kinds = ", ".join(SUFFIXES)
            raise InvalidInput(
                f"a player is a file of ASCII letters, digits and ._- that ends with {kinds}"
            )
        if not data:
            raise InvalidInput("the file is empty")
        if not folder.players.is_dir():
            raise InvalidInput("the folder of the players is gone")
        self._check_allowed(ladder, name, visitor)
        alike = [other for other in os.listdir(folder.players) if look_alike(name, other)]
        if alike and name not in alike:
            twin = one_line(alike[0], 60)
            raise InvalidInput(f"{name} looks like {twin}, which is there already")
        fault = self.fault(ladder, name, data, visitor.owner)
        if fault:
            advice = one_file_advice(fault)
            also = f". {advice.removesuffix('.')}" if advice else ""
            raise InvalidInput(f"{name} was not accepted: {fault}{also}")
        with folder.people_locked():
            owners, is_own = self._check_allowed(ladder, name, visitor)
            if is_own and owners.get(name) not in visitor.owners:
                owners[name] = visitor.owner
                write_whole(folder.owners, msgspec.json.encode(owners))
            write_whole(folder.players / name, data)
            count_upload(folder, visitor.owner)
        if fault is None:
            return (
                f"{name} is uploaded. What the compiler says will be on "
                f"/ladders/{folder.name}/players/{name}."
            )
        return f"{name} is uploaded. While the ladder runs, it takes part within seconds."

    def withdraw(self, ladder: Ladder, name: str, visitor: Visitor) -> str:
        """Withdraw a player, or all players of its file; return the outcome in a sentence.

        Raises
        ------
        NotYours
            If it is the player of another person, and the visitor no operator.
        NotFound
            If there is no such file.
        InvalidInput
            If the deadline was before, or it cannot be moved.
        """
        folder, file = ladder.folder, ladder.file_of(name)
        if unusable(file) or not (folder.players / file).exists():
            raise NotFound("there is no such player")
        if visitor.role_in(folder.name) < Role.OPERATE:
            if not may_read_output(self.register, file, visitor):
                raise NotYours(f"only its author, the team or an operator can withdraw {name}")
            if late := deadline_passed(ladder.uploads):
                raise InvalidInput(late)
        withdraw(folder, file)
        return f"{file} is withdrawn. Its games stay; the same name can be uploaded again."

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
        owners = folder.read_owners()
        own = owned(self.register, visitor, owners)
        taken = name in owners or name in assigned(self.register)
        there = [(place / name).exists() for place in (folder.players, folder.versions)]
        is_own = name in own or not (taken or any(there))  # who owns a name reads its old games
        if visitor.role_in(folder.name) < Role.OPERATE:
            if not is_own:
                raise NotYours(f"somebody else has uploaded {name}; choose another name")
            present = {one for one in own if (folder.players / one).exists()}
            check_limits(folder, ladder.uploads, visitor.owner, name, present)
        return owners, is_own

    def fault(self, ladder: Ladder, name: str, data: bytes, owner: str) -> str | None:
        """Return the fault in a player's file; an empty text if there is none, None if unknown.

        It is unknown if the compiler is busy or takes long, or if the owner's time is used up.
        """
        if fault := fault_at_sight(name, data, ladder.game):
            return fault
        if name.endswith(PROGRAM):
            return ""
        unknown = "" if name.endswith(".so") else None
        if self._spent.today(owner) >= ladder.compile_seconds:
            return unknown
        if not self._free.acquire(timeout=CHECK_SECONDS / 2):
            return unknown
        try:
            built = self._built(ladder, name, data, owner)
        except HostFailure:
            return unknown
        finally:
            self._free.release()
        if built is None or built.refused:
            return unknown
        if built.file is None and not name.endswith(".so"):
            return None if built.seconds >= CHECK_SECONDS else first_errors(name, built.said)
        if name.endswith(".py"):
            return f"{name} {NO_PLAYER}" if has_no_player(data) else ""
        trouble = load_trouble(built)
        return trouble and f"{name} {trouble}"

    def _built(self, ladder: Ladder, name: str, data: bytes, owner: str) -> Built | None:
        """Return the result of the compiler or of the trial load; None if it takes too long."""
        interface = ladder.game.interop.library
        memory = ladder.isolation.memory if ladder.isolation is not None else MEMORY
        with tempfile.TemporaryDirectory(prefix="ludograph-") as made:
            os.chmod(made, 0o755)
            for file, content in files_of(name, data, interface).items():
                (Path(made) / file).write_bytes(content)
            if name.endswith(".py"):
                command = SandboxedCommand([SYNTAX, f"./{name}"], made, CHECK_SECONDS)
            else:
                command = building(Path(made) / name, interface, CHECK_SECONDS)
            build = Build(command, Isolation(self.granted, memory))
            if not build.is_done(CHECK_SECONDS):
                self._spent.add(owner, build.elapsed)
                build.cancel()
                return None
            built = build.result()
            self._spent.add(owner, built.seconds)
            return built


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
    parts of the source. Operators may read it, and the author with the author's team.
    """
    if visitor.role_in(register.folder.name) >= Role.OPERATE:
        return True
    if register.trouble or not visitor.is_known:  # the authors cannot be read
        return False
    return file_in(player, [*owned(register, visitor, register.folder.read_owners())])
