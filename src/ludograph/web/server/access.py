"""Access to the server: roles of requests, tokens and cookies, rate limits."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import parse_qsl, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludograph.arena.ladder.roles import Role
from ludograph.web.server import limits
from ludograph.web.server.access_tokens import DOING, Tokens
from ludograph.web.server.limits import ANYBODY, Identity, RateLimit, RateLimiter
from ludograph.web.server.register import Member, Register
from ludograph.web.server.responses import error_response, page, wanted

COOKIE = "ludograph-token"

VISITOR = "ludograph-visitor"

COOKIE_LIMIT = 1000
"""The most characters of a cookie."""

YEAR = 365 * 86_400

MANY = 10
"""The rate limit of all visitors of one address, as a multiple of that of one visitor."""

NEEDS: tuple[tuple[str, str, Role], ...] = (
    ("*", r"/static/.*|/enter", Role.NOTHING),
    ("POST", r"/ladders/.*", Role.UPLOAD),
    ("POST", r"/tournaments.*", Role.OPERATE),
    ("POST", r"/match/[^/]*/wish", Role.LOOK),  # the key of a seat decides
    ("POST", r"/mine", Role.LOOK),  # the keys of seats decide
    ("POST", r".*", Role.PLAY),
    ("*", r".*", Role.LOOK),
)
"""The role that a request needs, by method and path; the first matching row counts."""

OFTEN = "There were too many requests; wait a moment."


class Visitors:
    """Names for browsers without a token, to distinguish people of one address.

    Names are signed, so that a browser cannot invent a new one for each request.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def new(self) -> str:
        """Return a new name."""
        name = secrets.token_hex(8)
        return f"{name}.{self._signature(name)}"

    def is_known(self, given: str) -> bool:
        """Tell whether this server has signed a name."""
        name, _, signature = given.partition(".")
        return hmac.compare_digest(self._signature(name).encode(), signature.encode())

    def _signature(self, name: str) -> str:
        return hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()


class Client(NamedTuple):
    """The person behind a request: by token, else by the browser's name, else by address."""

    token: str
    visitor: str
    address: str

    @property
    def identity(self) -> Identity:
        """The identity of a person for limits."""
        name = next(
            f"{kind} {value}"
            for kind, value in zip(self._fields, self, strict=True)
            if value or kind == "address"
        )
        return Identity(name, "" if self.token else self.address)


class AccessControl:
    """Passes on the requests that a visitor's role and rate limit allow.

    Parameters
    ----------
    registers
        The people of ladders, by the ladders' names.
    """

    def __init__(
        self,
        app: ASGIApp,
        tokens: Tokens,
        rates: dict[str, RateLimit],
        registers: Mapping[str, Register],
    ) -> None:
        self.app, self.tokens, self.rates, self.registers = app, tokens, rates, registers
        self.paces, self.visitors = RateLimiter(), Visitors()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on.

        Its state then has ``role``; ``granted``, the role without that in a ladder; ``token``;
        ``member``, None for a visitor in no ladder; and ``person``, the identity for limits,
        which the role ``operate`` does not have.
        """
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        token = token_of(Headers(scope=scope))
        member = self._member(token)
        granted = self.tokens.role_of(token)
        role = max(granted, member.role if member else Role.NOTHING)
        who = self._who(request, token if member or token in self.tokens.roles else "")
        person = ANYBODY if role >= Role.OPERATE else who.identity
        scope.setdefault("state", {}).update(
            role=role, granted=granted, token=token, person=person, member=member
        )
        if not who.token and not who.visitor and "text/html" in wanted(request):
            send = self._naming(request, send)
        needed = needed_for(scope["method"], scope["path"])
        answer: Response | None = None
        if role < needed:
            answer = self._refused(request, needed)
        elif scope["path"] == "/enter":
            answer = await self._enter(request, who)
        elif not self._in_time(kind_of(scope), who):
            answer = error_response(request, OFTEN, 429)
        if answer is None:
            await self.app(scope, receive, send)
        else:
            await answer(scope, receive, send)

    def _member(self, token: str) -> Member | None:
        """Return the person of a token; None if no ladder knows it."""
        found = ((name, each.person(token)) for name, each in self.registers.items())
        return next((Member(person, name) for name, person in found if person), None)

    def _who(self, request: Request, token: str) -> Client:
        """Return the sender of a request; the token is a valid one, or empty."""
        visitor = cookie_of(request.headers, VISITOR)
        return Client(
            token,
            visitor if self.visitors.is_known(visitor) else "",
            network_of(request.client.host) if request.client else "",
        )

    def _in_time(self, kind: str, who: Client) -> bool:
        """Tell whether a request is within the rate limits."""
        rate = self.rates[kind]
        all_there = RateLimit(MANY * rate.burst, MANY * rate.each_second)
        if kind == "enter":  # a right token is always accepted: a limit of all harms nobody
            counted = {kind: (who.address, rate), f"{kind} of all": ("", all_there)}
        elif who.visitor and not who.token:
            counted = {f"{kind} of all": (who.address, all_there), kind: (who.identity.name, rate)}
        else:
            counted = {kind: (who.identity.name, rate)}
        return all(self.paces.allow(each, *known) for each, known in counted.items())

    def _naming(self, request: Request, send: Send) -> Send:
        """Return a ``send`` that adds a cookie with the browser's name to the answer."""

        async def naming_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = Response()
                named.set_cookie(
                    VISITOR,
                    self.visitors.new(),
                    httponly=True,
                    samesite="lax",
                    secure=request.url.scheme == "https",
                )
                MutableHeaders(scope=message).append("set-cookie", named.headers["set-cookie"])
            await send(message)

        return naming_send

    def _refused(self, request: Request, needed: Role) -> Response:
        sentence = f"A token is needed to {DOING[needed]}."
        if request.method not in ("GET", "HEAD") or "text/html" not in wanted(request):
            return error_response(request, sentence, 401)
        return page(request, "enter.html", 401, sentence=sentence, next=request.url.path, token="")

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
        member = self._member(token)
        known = member is not None or token in self.tokens.roles
        if not known and not self._in_time("enter" if token else "get", who):
            return error_response(request, OFTEN, 429)
        if not token:
            status = 400 if request.method == "POST" else 200
            return page(request, "enter.html", status, sentence="Your token", next="/", token="")
        if not known:
            sentence = "This token is not valid on this server."
            return page(request, "enter.html", 403, sentence=sentence, next="/", token="")
        if not re.fullmatch(r"/(?![/\\])[\x21-\x7e]*", after):
            after = "/"
        if after == "/" and member is not None:
            after = f"/ladders/{quote(member.ladder)}/me"
        if request.method != "POST" and token != cookie_of(request.headers, COOKIE):
            sentence = f"Come in as {member.person.name}" if member else "Come in"
            return page(request, "enter.html", sentence=sentence, next=after, token=token)
        answer = RedirectResponse(after, 303)
        answer.set_cookie(
            COOKIE,
            token,
            max_age=YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return answer


def network_of(address: str) -> str:
    """Return the address of a visitor, for IPv6 the network: one machine has all its addresses.

    Examples
    --------
    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::a:7")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        parsed = ip_address(address)
    except ValueError:  # no address, as where a proxy is reached by the path of a socket
        return address
    if isinstance(parsed, IPv4Address):
        return address
    mapped = parsed.ipv4_mapped
    return str(mapped or IPv6Network((int(parsed), 64), strict=False))


def kind_of(scope: Scope) -> str:
    """Return the kind of a request, for its rate limit."""
    if scope["method"] != "POST":
        return "get"
    return "upload" if scope["path"].startswith("/ladders/") else "post"


def needed_for(method: str, path: str) -> Role:
    """Return the role that a request needs."""
    kind = "GET" if method in ("GET", "HEAD") else "POST"
    return next(
        role for own, form, role in NEEDS if own in ("*", kind) and re.fullmatch(form, path, re.S)
    )


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


def may(request: Request, role: Role) -> bool:
    """Tell whether a visitor has a role."""
    return bool(request.state.role >= role)


USUAL = {
    "get": RateLimit(limits.GETS, limits.GETS / 10),
    "post": RateLimit(limits.POSTS, limits.POSTS / 10),
    "upload": RateLimit(limits.UPLOADS, limits.UPLOADS / 60),
    "enter": RateLimit(limits.TRIES, limits.TRIES / 100),
}
"""Rate limits of one visitor: a token, else a browser, else an address."""

UNLIMITED = dict.fromkeys(USUAL, RateLimit(1e9, 1e9))
