"""Access to the server: the rights of roles, and how a token comes in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import parse_qsl, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludograph.arena.ladder.people import Role
from ludograph.web.server.limits import ANYBODY, BrowserNames, Client, RateLimit, Rates, network_of
from ludograph.web.server.responses import error_response, page, wanted
from ludograph.web.server.tokens import WRONG, Register, Tokens, Visitor

COOKIE = "ludograph-token"

VISITOR = "ludograph-visitor"

COOKIE_LIMIT = 1000
"""The most characters of a cookie."""

YEAR = 365 * 86_400


class Right(NamedTuple):
    """What a role may do: requests of a method, with paths of a form."""

    role: Role
    method: str
    path: str
    what: str


RIGHTS = (
    Right(Role.NOTHING, "*", r"/static/.*|/enter", "come in"),
    Right(Role.OPERATE, "POST", r"/ladders/.*/(suspend|reinstate)", "suspend players"),
    Right(Role.UPLOAD, "POST", r"/ladders/.*", "upload players to ladders"),
    Right(Role.UPLOAD, "GET", r"/ladders/.*/(submissions|versions/.*)", "see what was submitted"),
    Right(Role.OPERATE, "POST", r"/tournaments.*", "start tournaments"),
    Right(Role.LOOK, "POST", r"/match/[^/]*/wish", "play"),  # the key of a seat decides
    Right(Role.LOOK, "POST", r"/mine", "see your games"),  # the keys of seats decide
    Right(Role.PLAY, "POST", r".*", "begin games and ask strategies"),
    Right(Role.LOOK, "*", r".*", "look at pages"),
)
"""The rights of roles, each with those of the roles before it; the first matching row counts."""

LADDER = re.compile(r"/ladders/([^/]*)/.*", re.DOTALL)
"""A path of a ladder: only its own people upload there, or visitors whose token no ladder has."""

OFTEN = "There were too many requests; wait a moment."


def right_for(method: str, path: str) -> Right:
    """Return the right that a request needs."""
    kind = "GET" if method in ("GET", "HEAD") else "POST"
    return next(
        right
        for right in RIGHTS
        if right.method in ("*", kind) and re.fullmatch(right.path, path, re.DOTALL)
    )


class AccessControl:
    """Passes on the requests that a visitor's role and rate limit allow.

    Parameters
    ----------
    registers
        The people of the server's ladders.
    """

    def __init__(
        self,
        app: ASGIApp,
        tokens: Tokens,
        rates: Mapping[str, RateLimit],
        registers: Sequence[Register],
    ) -> None:
        self.app, self.tokens, self.registers = app, tokens, registers
        self.rates, self.browsers = Rates(rates), BrowserNames()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on.

        Its state then has ``visitor``, its sender, and ``person``, the identity for limits, which
        the role ``operate`` does not have.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        token = token_of(request.headers)
        visitor = self.tokens.visitor(token, self.registers)
        who = self._who(request, token if visitor.is_known else "")
        person = ANYBODY if visitor.role >= Role.OPERATE else who.identity
        scope.setdefault("state", {}).update(visitor=visitor, person=person)
        if not who.token and not who.browser and "text/html" in wanted(request):
            send = self._naming(request, send)
        answer = refused(request, visitor)
        if answer is None and scope["path"] == "/enter":
            answer = await self._enter(request, who)
        elif answer is None and not self.rates.allow(kind_of(scope), who):
            answer = error_response(request, OFTEN, 429)
        await (self.app if answer is None else answer)(scope, receive, send)

    def _who(self, request: Request, token: str) -> Client:
        """Return the sender of a request; the token is a valid one, or empty."""
        browser = cookie_of(request.headers, VISITOR)
        return Client(
            token,
            browser if self.browsers.is_known(browser) else "",
            network_of(request.client.host) if request.client else "",
        )

    def _naming(self, request: Request, send: Send) -> Send:
        """Return a ``send`` that adds a cookie with the browser's name to the answer."""

        async def naming_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = Response()
                set_cookie(request, named, VISITOR, self.browsers.new())
                MutableHeaders(scope=message).append("set-cookie", named.headers["set-cookie"])
            await send(message)

        return naming_send

    async def _enter(self, request: Request, who: Client) -> Response:
        """Check a token from a link or from the form.

        Wrong tokens are counted by address; a right one is always accepted. A link alone, which
        anybody may have sent, lets nobody in: its page has a button for that.
        """
        if request.method not in ("GET", "HEAD", "POST"):
            return Response(status_code=405, headers={"allow": "GET, HEAD, POST"})
        if request.method == "POST":
            try:
                given = dict(parse_qsl((await request.body()).decode("ascii"), max_num_fields=4))
            except ValueError:
                given = {}
        else:
            given = dict(request.query_params)
        token, after = given.get("token", ""), given.get("next", "/")
        visitor = self.tokens.visitor(token, self.registers)
        if not visitor.is_known and not self.rates.allow("enter" if token else "get", who):
            return error_response(request, OFTEN, 429)
        if not token:
            status = 400 if request.method == "POST" else 200
            return page(request, "enter.html", status, sentence="Your token", next="/", token="")
        if not visitor.is_known:
            return page(request, "enter.html", 403, sentence=WRONG, next="/", token="")
        if not re.fullmatch(r"/(?![/\\])[\x21-\x7e]*", after):
            after = "/"
        if after == "/" and visitor.person is not None:
            after = f"/ladders/{quote(visitor.ladder)}/me"
        if request.method != "POST" and token != cookie_of(request.headers, COOKIE):
            sentence = "Come in" + (f" as {visitor.person.name}" if visitor.person else "")
            return page(request, "enter.html", sentence=sentence, next=after, token=token)
        answer = RedirectResponse(after, 303)
        set_cookie(request, answer, COOKIE, token, YEAR)
        return answer


def refused(request: Request, visitor: Visitor) -> Response | None:
    """Return the answer to a visitor without the right for a request; None with the right."""
    path = request.scope["path"]
    right = right_for(request.method, path)
    if visitor.role < right.role:
        sentence = WRONG if visitor.is_wrong else f"A token is needed to {right.what}."
        if request.method not in ("GET", "HEAD") or "text/html" not in wanted(request):
            return error_response(request, sentence, 401)
        after = request.url.path
        return page(request, "enter.html", 401, sentence=sentence, next=after, token="")
    ladder = LADDER.fullmatch(path)
    if ladder and right.role > Role.PLAY and visitor.ladder not in ("", ladder[1]):
        return error_response(request, f"Your token is for the ladder {visitor.ladder}.", 403)
    return None


def kind_of(scope: Scope) -> str:
    """Return the kind of a request, for its rate limit."""
    if scope["method"] in ("GET", "HEAD"):
        return "get"
    return "upload" if scope["path"].startswith("/ladders/") else "post"


def token_of(headers: Headers) -> str:
    """Return the token of a request; empty if it has none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return cookie_of(headers, COOKIE)


def cookie_of(headers: Headers, name: str) -> str:
    """Return a cookie of a request; empty if it has none, or if it is longer than ours.

    Python's parser takes quadratic time in some versions: seconds for all cookies together.
    """
    value = ""
    for part in headers.get("cookie", "").split(";"):
        own, _, text = part.partition("=")
        if own.strip() == name and len(text) <= COOKIE_LIMIT:
            try:
                parsed = SimpleCookie(f"{name}={text.strip()}")
            except CookieError:
                continue
            value = parsed[name].value if name in parsed else value
    return value


def set_cookie(
    request: Request, answer: Response, name: str, value: str, seconds: int | None = None
) -> None:
    """Set a cookie that scripts and other sites' forms cannot use."""
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="lax", secure=secure)
