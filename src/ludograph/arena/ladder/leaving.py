"""People who leave a ladder: names, sources and texts are deleted, games stay under a pseudonym."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import msgspec

from ludograph.arena.ladder.folder import (
    LadderFolder,
    parted,
    read_json,
    read_lines,
    read_state,
    remove_tree,
    write_whole,
)
from ludograph.arena.ladder.ladder import Ladder, kept_store
from ludograph.arena.ladder.people import Person, changed_people, the_person
from ludograph.arena.store import Store
from ludograph.arena.store.pseudonyms import rename_players
from ludograph.players.spec import FILE

LEAST_LETTERS = 4
"""The letters of an identifier from which it is looked for alone: a shorter one may be a number of
anything."""

SOMEBODY = "a former participant"


class Removed(NamedTuple):
    """A person who has left.

    Attributes
    ----------
    players
        The pseudonyms of the person's players, by their files.
    shared
        The files that stay, because they are other people's, too.
    games
        The number of games that have these names now.
    """

    person: Person
    players: Mapping[str, str]
    shared: Sequence[str]
    games: int


def remove_person(ladder: Ladder, given: str, stores: Sequence[str | Path] = ()) -> Removed:
    """Remove a person, by id or name, from the folder of a ladder and from its store.

    Players of a team stay as long as anybody is in the team. The same call continues one that was
    interrupted.

    Parameters
    ----------
    stores
        Stores of tournaments in which the players took part, too.

    Raises
    ------
    InvalidInput
        If there is no such person, or a process runs the ladder.
    HostFailure
        If another process keeps a store from giving free pages back.
    """
    folder = ladder.folder
    with folder.locked(), changed_people(folder) as people, ExitStack() as stack:
        person = people.pop(the_person(people, given).id)
        owners = folder.read_owners()
        owned = person.owned(owners)
        shared = [
            file for file in owned if any(other.owns(file, owners) for other in people.values())
        ]
        own = [file for file in owned if file not in shared]
        players = {file: f"former player {secrets.token_hex(3)}" for file in own}
        opened = [stack.enter_context(kept_store(ladder, read_state(folder)))]
        if ladder.store_url and folder.store.exists():
            opened.append(stack.enter_context(Store(folder.store)))
        opened += [stack.enter_context(Store(store, must_exist=True)) for store in stores]
        games = sum(rename_players(store, _renaming(players)) for store in filter(None, opened))
        _remove_files(folder, own)
        left = {f"person {person.id}", person.owner} - {other.owner for other in people.values()}
        gone = [person.name, *left, *[person.id] * (len(person.id) >= LEAST_LETTERS)]
        words = {**dict.fromkeys(gone, SOMEBODY), **players}
        traces = Traces(person.id, left, players, words)
        _clean_texts(folder, traces)
        others = {file: owner for file, owner in owners.items() if file not in own}
        write_whole(folder.owners, msgspec.json.encode(traces.in_data(others)))
    return Removed(person, players, shared, games)


def _renaming(players: Mapping[str, str]) -> Callable[[str], str | None]:
    """Return the function that names players anew: by their file, wherever it was."""

    def renamed(name: str) -> str | None:
        found = FILE.fullmatch(name)
        path = name if found is None else found["path"]
        file = PurePath(path).name
        return players[file] + name[len(path) :] if file in players else None

    return renamed


def _remove_files(folder: LadderFolder, files: Sequence[str]) -> None:
    """Delete the sources of players, all their copies, and the reports on them."""
    for file in files:
        for place in (folder.players, folder.withdrawn):
            (place / file).unlink(missing_ok=True)
        remove_tree(folder.versions / file)
        folder.write_report(file, "")


TEXTS = {"why", "suspended", "refused", "suspend"}
"""The fields of the folder's JSON that hold sentences; all others hold names and numbers."""


class Traces(NamedTuple):
    """What names a person who leaves, in the files of a ladder.

    A field that holds a name changes only if it is the whole name: there may be a person, a team
    and a player of one name. In sentences a file of somebody else may begin with the name.

    Attributes
    ----------
    person
        The identifier of the person.
    owners
        The owners that are nobody's any more.
    players
        The pseudonyms of players, by their files.
    words
        What stands for words in sentences.
    """

    person: str
    owners: Collection[str]
    players: Mapping[str, str]
    words: Mapping[str, str]

    def in_text(self, text: str) -> str:
        """Return a text without the words."""
        words = [
            re.escape(word) + ("" if word in self.players else r"(?!\.\w)")
            for word in sorted(self.words, key=len, reverse=True)
        ]
        pattern = rf"(?<![\w.-])(?:{'|'.join(words)})(?![\w-])"
        return re.sub(pattern, lambda found: self.words[found[0]], text)

    def in_data(self, data: Any, field: str = "") -> Any:
        """Return the content of a file, or of a field in it, without the person."""
        if isinstance(data, dict):
            return {
                self._in_name(name, ""): self.in_data(own, field if field in TEXTS else name)
                for name, own in data.items()
            }
        if isinstance(data, list):
            return [self.in_data(each, field) for each in data]
        if not isinstance(data, str):
            return data
        return self.in_text(data) if field in TEXTS else self._in_name(data, field)

    def _in_name(self, text: str, field: str) -> str:
        if text in self.owners or (field == "person" and text == self.person):
            return SOMEBODY
        file, _ = parted(text)
        return self.players.get(file, file) + text[len(file) :]


def _clean_texts(folder: LadderFolder, traces: Traces) -> None:
    """Remove a person from all files of the folder; delete the lines of the log that have a word.

    The next run then notices that players have left which are called by their pseudonyms.
    """
    data = {folder.state, folder.orders, folder.submissions, folder.history}
    others = {folder.declaration, folder.people, folder.secret, folder.owners}
    others |= {*folder.path.glob(f"{folder.store.name}*")}
    for path in (*folder.path.glob("*"), *folder.reports.glob("*")):
        if path in others or not path.is_file():
            continue
        if path in data:
            is_whole = path.suffix == ".json"
            found = [read_json(path, object)] if is_whole else read_lines(path, object)
            encoded = (msgspec.json.encode(traces.in_data(each)) for each in found)
            clean = b"".join(line + b"\n" for line in encoded)
        elif path.name.startswith(folder.log.name):
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            clean = "".join(line for line in lines if traces.in_text(line) == line).encode()
        else:
            text = path.read_bytes().decode("utf-8", "surrogateescape")  # anything of the operator
            clean = traces.in_text(text).encode("utf-8", "surrogateescape")
        if clean != path.read_bytes():
            write_whole(path, clean, mode=path.stat().st_mode & 0o777)
