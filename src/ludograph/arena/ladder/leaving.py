"""People who leave a ladder: names, sources and texts are deleted, games stay under a pseudonym."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePath
from typing import NamedTuple

import msgspec

from ludograph.arena.ladder.folder import LadderFolder, remove_tree, write_whole
from ludograph.arena.ladder.grades import file_in, file_of
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.people import Person, changed_people, the_person
from ludograph.arena.ladder.state import read_state
from ludograph.arena.ladder.store import kept_store
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
    games
        The number of games that have these names now.
    """

    person: Person
    players: Mapping[str, str]
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
        own = [
            file
            for file in person.owned(owners)
            if not any(other.owns(file, owners) for other in people.values())
        ]
        players = {file: f"former player {secrets.token_hex(3)}" for file in own}
        opened = [stack.enter_context(kept_store(ladder, read_state(folder)))]
        if ladder.store_url and folder.store.exists():
            opened.append(stack.enter_context(Store(folder.store)))
        opened += [stack.enter_context(Store(store, must_exist=True)) for store in stores]
        games = sum(rename_players(store, _renaming(players)) for store in filter(None, opened))
        _remove_files(folder, own)
        gone = [person.name, f"person {person.id}"]
        gone += [person.id] * (len(person.id) >= LEAST_LETTERS)
        if not any(other.owner == person.owner for other in people.values()):
            gone.append(person.owner)
        identified = f'"person":{msgspec.json.encode(person.id).decode()}'  # in submissions
        texts = {identified: f'"person":"{SOMEBODY}"', **dict.fromkeys(gone, SOMEBODY)}
        _clean_texts(folder, texts, players)
        owners = {file: owner for file, owner in owners.items() if file not in own}
        write_whole(folder.owners, msgspec.json.encode(owners))
    return Removed(person, players, games)


def _renaming(players: Mapping[str, str]) -> Callable[[str], str | None]:
    """Return the function that names players anew: by their file, wherever it was."""

    def renamed(name: str) -> str | None:
        found = FILE.fullmatch(name)
        path = name if found is None else found["path"]
        file = file_of(PurePath(path).name, players)
        return None if file is None else players[file] + name[len(path) :]

    return renamed


def _remove_files(folder: LadderFolder, files: Sequence[str]) -> None:
    """Delete the sources of players, all their copies, and the reports on them."""
    for file in files:
        for place in (folder.players, folder.withdrawn):
            (place / file).unlink(missing_ok=True)
        remove_tree(folder.versions / file)
    for report in folder.reports.glob("*"):
        if file_in(report.name.removesuffix(".txt"), files):
            report.unlink()


def _clean_texts(
    folder: LadderFolder, texts: Mapping[str, str], players: Mapping[str, str]
) -> None:
    """Replace names in all texts of the folder; delete the lines of the log that have one.

    A file of somebody else may begin with the name of the person. The next run then notices that
    players have left which are called by their pseudonyms.
    """
    names = {**texts, **players}
    names |= {msgspec.json.encode(name).decode()[1:-1]: own for name, own in names.items()}
    words = [
        re.escape(name) + ("" if name in players else r"(?!\.\w)")
        for name in sorted(names, key=len, reverse=True)
    ]
    pattern = re.compile(rf"(?<![\w.-])(?:{'|'.join(words)})(?![\w-])")
    others = {folder.declaration, folder.people, folder.secret}
    others |= {*folder.path.glob(f"{folder.store.name}*")}
    for path in (*folder.path.glob("*"), *folder.reports.glob("*")):
        if path in others or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # something of the operator's
            continue
        if path.name.startswith(folder.log.name):
            lines = text.splitlines(keepends=True)
            clean = "".join(line for line in lines if not pattern.search(line))
        else:
            clean = pattern.sub(lambda found: names[found[0]], text)
        if clean != text:
            write_whole(path, clean.encode(), mode=path.stat().st_mode & 0o777)
