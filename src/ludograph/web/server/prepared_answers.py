"""Answers to many requests: stored in memory, compressed once, with an ETag."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

LEAST = 1000
"""The least size of a compressed body in bytes."""

LEVEL = 6
"""The level of compression."""

TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".md": "text/plain",
    ".svg": "image/svg+xml",
}
"""Media types of the files of pages, by the end of their names."""


class PreparedAnswer:
    """A body with its compressed form, for any number of requests.

    It must not contain a key of a seat, because the length of a compressed body depends on it.

    Parameters
    ----------
    headers
        Further headers.
    """

    def __init__(self, body: bytes, media_type: str, headers: dict[str, str] | None = None) -> None:
        self.body, self.media_type = body, media_type
        self.compressed = gzip.compress(body, LEVEL) if len(body) >= LEAST else None
        tag = f'W/"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        self.headers = {"etag": tag, "vary": "Accept-Encoding", **(headers or {})}

    def response(self, request: Request) -> Response:
        """Return the answer to a request: without a body if the browser has this one already."""
        known = request.headers.get("if-none-match", "").split(",")
        if self.headers["etag"] in map(str.strip, known):
            return Response(status_code=304, headers=self.headers)
        if self.compressed is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(self.body, media_type=self.media_type, headers=self.headers)
        headers = self.headers | {"content-encoding": "gzip"}
        return Response(self.compressed, media_type=self.media_type, headers=headers)


def drawing(svg: str) -> PreparedAnswer:
    """Return the answer with a picture that browsers may store for a day."""
    return PreparedAnswer(svg.encode(), "image/svg+xml", {"cache-control": "max-age=86400"})


class StaticFiles:
    """The scripts, styles and signs of pages; a file that has changed is read again."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.name: path for path in folder.iterdir() if path.suffix in TYPES}
        self._answers: dict[tuple[Path, int], PreparedAnswer] = {}

    async def file(self, request: Request) -> Response:
        """Answer with a file."""
        path = self._files.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404)
        key = path, path.stat().st_mtime_ns
        answer = self._answers.get(key)
        if answer is None:
            answer = PreparedAnswer(path.read_bytes(), TYPES[path.suffix])
            self._answers[key] = answer
        return answer.response(request)
