"""The page of a participant of a ladder: own players, their games, their faults and advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.arena.ladder.grades import file_in
from ludograph.arena.ladder.people import Person
from ludograph.arena.ladder.reasons import Reasons
from ludograph.arena.ladder.upload_limits import limits_text, read_uploads
from ludograph.errors import LudographError
from ludograph.web.ladder.authors import Sender, sender_of
from ludograph.web.ladder.ladders import LadderPages, games_of_player, up_to_date
from ludograph.web.ladder.shown_ladders import LATEST, PlayerGames
from ludograph.web.server.register import Member
from ludograph.web.server.responses import error_page, page

SHOWN = LATEST // 3
"""The number of listed games for each of several players."""


def own_players(pages: LadderPages, person: Person) -> list[str]:
    """Return the players of a participant, and of the team, that are in the table."""
    files = person.owned(pages.ladder.folder.read_owners())
    return [line.player for line in pages.now.table.lines if file_in(line.player, files)]


def overview(
    pages: LadderPages, visitor: Sender, person: Person, games: Mapping[str, PlayerGames]
) -> dict[str, Any]:
    """Return the values of the page of a participant, who is also the visitor.

    Parameters
    ----------
    games
        The games of the participant's players.

    Raises
    ------
    InvalidInput
        If a file of the ladder is not what was written.
    """
    folder = pages.ladder.folder
    waiting = [
        name
        for name in person.owned(folder.read_owners())
        if not any(file_in(player, [name]) for player in games) and (folder.players / name).exists()
    ]
    return {
        "ladder": pages,
        "game": pages.ladder.game.name,
        "has_c": pages.ladder.game.interop.library is not None,
        "name": person.name,
        "team": person.team,
        "team_mates": [
            other.name
            for other in pages.register.people
            if person.team and other.team == person.team and other.id != person.id
        ],
        "players": [of_player(pages.player(name, visitor, own)) for name, own in games.items()],
        "waiting": waiting,
        "limits": limits_text(pages.ladder.uploads),
        "brought": int(read_uploads(folder).today(person.owner)),
        "shown": SHOWN,
    }


def of_player(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page's values of one player, with a sentence of advice for each fault."""
    reasons: Reasons = values["reasons"]
    faults = [
        {
            "title": values["titles"][reason],
            "count": reasons.forfeits[reason],
            "look": values["look"][reason],
            "last": games[-1],
            "told": reasons.told(games[-1]),
        }
        for reason, games in reasons.failed.items()
    ]
    return {**values, "faults": faults}


async def me(request: Request) -> Response:
    """Answer with the page of the participant whose token a request has."""
    member: Member | None = request.state.member
    try:
        pages = await up_to_date(request)
        if member is None or member.ladder != pages.name:
            return error_page(
                request,
                "This page shows your own players, so it needs your token of this ladder.",
                403,
            )
        person, visitor = member.person, sender_of(request)
        names = await run_in_threadpool(own_players, pages, person)
        games = {name: await games_of_player(request, pages, name) for name in names}
        values = await run_in_threadpool(overview, pages, visitor, person, games)
    except LudographError as error:
        return error_page(request, error)
    return page(request, "ladder_me.html", **values)
