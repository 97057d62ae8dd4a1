"""Middleware: allowed hosts, request sizes, headers, and the address behind a proxy."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from elsewhere, no script or style within a page, no page within another's."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

READING = ("GET", "HEAD")

STATIC = "/static/"
"""The path of files that browsers cache and revalidate."""


class RequestChecks:
    """Refuses what no page of ours has sent.

    Parameters
    ----------
    hosts
        Names under which the server is reached; empty: any. Another name in a request means that
        somebody else's name was made to point here.
    largest
        Bytes of a body, at most, by the beginning of the path; the longest that fits counts.
    public
        Scheme and host by which visitors reach a proxy before the server: their pages come from
        there, and addresses that pages show begin with it, whatever the proxy sends. Empty: none.
    """

    def __init__(
        self, app: ASGIApp, hosts: Collection[str], largest: dict[str, int], public: str = ""
    ) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.largest = largest
        self.public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if self.public:
            scope = publicly(scope, self.public)
        app = self.app if refusal is None else PlainTextResponse(refusal[1], refusal[0])
        limit = self._limit(scope["path"])

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    own[name] = value
                if "cache-control" not in own:
                    asks = scope["path"].startswith(STATIC)
                    own["cache-control"] = "no-cache" if asks else "no-store"
            await send(message)

        size = 0

        async def guarded_receive() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > limit:
                raise TooLarge
            return message

        try:
            await app(scope, guarded_receive, guarded_send)
        except ClientDisconnect:  # the client has gone
            return
        except TooLarge:
            await PlainTextResponse("The request is too large.", 413)(scope, receive, guarded_send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return why a request is not heard; None if it is."""
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        if self.hosts and name not in self.hosts:
            return 421, "This server is not known by that name."
        if scope["method"] in READING:
            return None
        origin = headers.get("origin")
        if origin is None:
            if headers.get("sec-fetch-site") != "same-origin":
                return 403, "Only pages of this server can do that."
        elif origin not in (f"{scope.get('scheme', 'http')}://{host}", self.public):
            return 403, "Only pages of this server can do that."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limit(scope["path"]):
            return 413, "The request is too large."
        return None

    def _limit(self, path: str) -> int:
        """Return how many bytes a body may have."""
        return max(
            ((len(begin), size) for begin, size in self.largest.items() if path.startswith(begin)),
            default=(0, 0),
        )[1]


def publicly(scope: Scope, public: str) -> Scope:
    """Return a request as if it had come to the public address."""
    scheme, _, host = public.partition("://")
    headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "scheme": scheme, "headers": [*headers, (b"host", host.encode("ascii"))]}


class TooLarge(Exception):
    """A body is larger than it said, or than it may be."""
