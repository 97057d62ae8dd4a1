"""The home page: games to play, open challenges, matches and records."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Hashable

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool

from ludograph.games.registry import declarations
from ludograph.web.games import forms, game_pictures
from ludograph.web.games.opponent_levels import levels_of
from ludograph.web.match.match_manager import MatchManager
from ludograph.web.server.prepared_answers import PreparedAnswer

LONGEST = 1.0
"""Seconds after which a visit renders the page anew: another program may have changed a record."""


class HomePage:
    """The home page, the same for all visitors: rendered when its content has changed."""

    def __init__(self, match_manager: MatchManager, templates: Environment) -> None:
        self._match_manager, self._templates = match_manager, templates
        self._rendering = asyncio.Lock()
        self._renewal: asyncio.Task[PreparedAnswer] | None = None
        self._answer: PreparedAnswer | None = None
        self._key: Hashable = None
        self._until = 0.0

    async def answer(self) -> PreparedAnswer:
        """Return the page; one that is only old is rendered anew for the next visitor."""
        if self._answer is None or self._current_key() != self._key:
            return await self._rendered()
        if time.monotonic() >= self._until and (self._renewal is None or self._renewal.done()):
            self._renewal = asyncio.create_task(self._rendered())
        return self._answer

    async def _rendered(self) -> PreparedAnswer:
        async with self._rendering:  # once for all requests that wait
            key = self._current_key()
            if self._answer is None or key != self._key or time.monotonic() >= self._until:
                text = await run_in_threadpool(self._text)
                self._answer = PreparedAnswer(text.encode(), "text/html")
                self._key, self._until = key, time.monotonic() + LONGEST
            return self._answer

    def _current_key(self) -> Hashable:
        """Return the data that the page depends on: the running matches and the records."""
        matches = tuple(
            (
                match.plan.number,
                match.is_challenge,
                len(match.open_seats.free()),
                *match.people_names,
            )
            for match in self._match_manager.running()
        )
        folder = self._match_manager.records.folder
        return matches, folder.stat().st_mtime_ns if folder.is_dir() else 0

    def _text(self) -> str:
        declared = declarations()
        challenges = self._match_manager.challenges()
        running = [match for match in self._match_manager.public() if match not in challenges]
        return self._templates.get_template("home.html").render(
            games=declared,
            at_once=forms.untouched(declared[0]),  # this imports a game without levels
            levels=levels_of(declared[0]),
            plays=game_pictures.kept_picture(declared[0].package, game_pictures.ANIMATION),
            anybody=forms.ANYBODY,
            challenges=challenges,
            running=running,
            latest=self._match_manager.latest(),
        )
