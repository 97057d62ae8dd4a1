"""Middleware: allowed hosts, request sizes, headers, and the address behind a proxy."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludograph.formatting import one_line

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
"""No content from other sites, no script or style within a page, no page within another site's."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

READING = ("GET", "HEAD")

EMBEDDED = "/embed/"
"""The path of pages that other sites may show within theirs, if the operator allows it."""

STATIC = "/static/"
"""The path of files that browsers cache and revalidate."""


class RequestChecks:
    """Refuses requests that no page of this server has sent.

    Parameters
    ----------
    hosts
        Names under which the server is reached; empty: any. Another name in a request means that a
        foreign name was made to point here.
    largest
        The most bytes of a body, by the beginning of the path; the longest matching one counts.
    public
        Scheme and host by which visitors reach a proxy before the server: their pages come from
        there, and addresses on pages begin with it, independent of the proxy's headers. Empty:
        none.
    embedders
        Scheme and host of the sites whose pages may show those of :data:`EMBEDDED`.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str],
        largest: dict[str, int],
        public: str = "",
        embedders: Collection[str] = (),
    ) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.largest = largest
        self.public = public
        self.embedders = tuple(embedders)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
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

        size, is_read = 0, scope["method"] in READING

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                if not is_read:
                    await drain(receive)
                add_headers(message, scope["path"], self.embedders)
            await send(message)

        async def guarded_receive() -> Message:
            nonlocal size, is_read
            message = await receive()
            is_read = is_read or not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                raise TooLarge
            return message

        try:
            await app(scope, guarded_receive, guarded_send)
        except ClientDisconnect:  # the client has gone
            return
        except TooLarge:
            await PlainTextResponse(too_large(limit), 413)(scope, receive, guarded_send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return why a request is refused; None if it is not."""
        if not scope["path"].isprintable():  # nothing here has such a name
            return 404, "There is no such page."
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        if self.hosts and name not in self.hosts:
            return 421, (
                f"This server is not known by the name {one_line(name)!r}. If a proxy stands "
                "before it, start it with --public-url and the address that visitors use."
            )
        if scope["method"] in READING:
            return None
        origin = headers.get("origin")
        own = f"{scope.get('scheme', 'http')}://{host}"
        address = self.public or one_line(own)
        if origin is None:
            if headers.get("sec-fetch-site") != "same-origin":
                return 403, (
                    "Only pages of this server can do that. A program must send the header "
                    f'"Origin: {address}".'
                )
        elif origin not in (own, self.public):
            return 403, (
                "Only pages of this server can do that. This one came from "
                f"{one_line(origin)}, and the address of the server is "
                f"{address}. If it is behind a proxy, start it with "
                "--public-url and the address that visitors use."
            )
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > (limit := self._limit(scope["path"])):
            return 413, too_large(limit)
        return None

    def _limit(self, path: str) -> int:
        """Return the most bytes of a body."""
        return max(
            ((len(begin), size) for begin, size in self.largest.items() if path.startswith(begin)),
            default=(0, 0),
        )[1]


def too_large(limit: int) -> str:
    """Return the sentence on a body with more bytes than a limit.

    Examples
    --------
    >>> too_large(4 << 20)
    'The request is too large: 4 MiB at most.'
    """
    most = f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
    return f"The request is too large: {most} at most."


def add_headers(message: Message, path: str, embedders: Collection[str]) -> None:
    """Add the headers of all answers to the start of the answer to a path."""
    own = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        own[name] = value
    if embedders and path.startswith(EMBEDDED):
        own["content-security-policy"] = POLICY.replace(
            "frame-ancestors 'none'", f"frame-ancestors {' '.join(embedders)}"
        )
        del own["x-frame-options"]
    if "cache-control" not in own:
        own["cache-control"] = "no-cache" if path.startswith(STATIC) else "no-store"


DRAINED = 8 * 1024 * 1024
"""The most bytes read of a request body that no handler needs."""


async def drain(receive: Receive) -> None:
    """Read the rest of a request body before it is answered.

    An answer that comes before the end closes the connection: a proxy that is still sending then
    reports a bad gateway, and a browser a lost connection, instead of the answer.
    """
    left = DRAINED
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if not message.get("more_body", False):
            return


def publicly(scope: Scope, public: str) -> Scope:
    """Return a request with the public address in place of its own."""
    scheme, _, host = public.partition("://")
    headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {**scope, "scheme": scheme, "headers": [*headers, (b"host", host.encode("ascii"))]}


class TooLarge(Exception):
    """A body is larger than announced, or than allowed."""
