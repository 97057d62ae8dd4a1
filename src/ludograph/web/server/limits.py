"""Limits of requests to the server: sizes, numbers, seconds, and how often a visitor may ask."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import NamedTuple

BODY = 64 * 1024
"""Bytes of a request of a page."""

RECORD = 4 * 1024 * 1024
"""Bytes of a record that is opened from a visitor's disk."""

VERTICES = 10_000
LENGTH = 200
"""The most vertices of a board, and the greatest length of its sides."""

PREVIEWED = 900
"""The greatest width times height of a board that a form shows."""

SEATS = 8

SECONDS = 10.0
"""Seconds for which a strategy may search for one move."""

MATCHES = 12
"""The default number of matches at a time."""

LISTENERS = 1000
"""Spectators at a time."""

EACH_LISTENS = 100
"""Pages of one person that are spectators at a time."""

ADDRESS_LISTENS = 500
"""Such pages of all people of one address without tokens."""

OPENED = 16
"""Records of visitors in memory."""

PAUSE = 10.0
"""The most seconds between two moves, for spectators."""

PLAYER = 4 * 1024 * 1024
"""Bytes of a player submitted to a ladder."""

GETS = 1000
"""Requests of a visitor that read, in ten seconds."""

POSTS = 200
"""Requests of a visitor with an effect, in ten seconds."""

UPLOADS = 10
"""Players that a visitor submits, in a minute."""

TRIES = 20
"""Wrong tokens tried from an address, in a hundred seconds."""

CONNECTIONS = 4000
"""Connections at a time; an address has half of them, except a proxy's."""

OTHER_FILES = 256
"""Open files that connections leave to the rest of the server, if it may open many."""

HEAD_SECONDS = 10.0
"""Seconds for the head of a request, counted from the connection or the answer before it."""

BODY_SECONDS = 20.0
BODY_RATE = 16 * 1024
"""Seconds for the body of a request, and the bytes that give it one second more."""

READ_SECONDS = 60.0
"""Seconds for which a client may not read the answer to it."""

ASKED_SECONDS = 1.0
"""Seconds of search for a strategy's advice to a visitor."""

SOLVED_SECONDS = 5.0
"""Seconds for solving a position."""

EVALUATED_SECONDS = 0.2
"""The most seconds of search for a position of a recorded game, for its curve."""

EVALUATION_SECONDS = 30.0
"""Seconds for all positions of a recorded game together."""

VARIATION_SECONDS = 0.5
"""Seconds of search for the position after moves tried by a visitor."""

CHANCE_SECONDS = 1.5
"""Seconds of search for all outcomes of chance after such moves together."""

EVALUATED_MOVES = 1500
"""The most moves of a recorded game that is evaluated."""

PART_SECONDS = 1.2
"""Seconds for the part of an evaluation in one answer."""

PUZZLE_SECONDS = 10.0
"""Seconds of search for puzzles in a recorded game."""

GAMES = 2000
"""Games of a tournament started from a page."""

BOARD_NAME = 40
"""Characters of a visitor's name for a board."""

EDITED_VERTICES = 1000
EDITED_EDGES = 5000
"""Vertices and edges of a board in the editor."""

SURFACE = 2 * 1024 * 1024
"""Bytes of a drawn or uploaded board."""

VISITORS = 4096
"""The most visitors whose requests of a kind are counted."""

MANY = 10
"""The rate limit of all visitors of one address, as a multiple of that of one visitor."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a person for limits.

    A token belongs to one person, but anybody can have a browser forget its name, and get another
    one: so there are also limits for all of an address together.

    Attributes
    ----------
    name
        Equal for requests of one person; empty for somebody without limits.
    address
        The address for whose limits the person counts, too; empty if the name proves who it is.
    """

    name: str
    address: str = field(default="", compare=False)

    def is_same(self, other: Identity) -> bool:
        """Tell whether the limits of one person count both together."""
        return self.name != "" and self == other

    def is_near(self, other: Identity) -> bool:
        """Tell whether the limits of one address count both together."""
        return self.address != "" and self.address == other.address


ANYBODY = Identity("")
"""Somebody without limits, such as the operator."""


class BrowserNames:
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
    browser: str
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


class RateLimit(NamedTuple):
    """A rate limit: a number of requests at once, and a number each second."""

    burst: float
    each_second: float


USUAL = {
    "get": RateLimit(GETS, GETS / 10),
    "post": RateLimit(POSTS, POSTS / 10),
    "upload": RateLimit(UPLOADS, UPLOADS / 60),
    "enter": RateLimit(TRIES, TRIES / 100),
}
"""Rate limits of one visitor: a token, else a browser, else an address."""

UNLIMITED = dict.fromkeys(USUAL, RateLimit(1e9, 1e9))


class Rates:
    """Counts the requests of the latest visitors, by kind of request, within rate limits.

    The kind ``enter`` is a try of a wrong token.
    """

    def __init__(
        self, limits: Mapping[str, RateLimit], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits, self._clock = limits, clock
        self._left: defaultdict[str, OrderedDict[str, tuple[float, float]]] = defaultdict(
            OrderedDict
        )

    def allow(self, kind: str, who: Client) -> bool:
        """Tell whether a request is within the limits, and count it."""
        rate = self._limits[kind]
        all_there = RateLimit(MANY * rate.burst, MANY * rate.each_second)
        if kind == "enter":  # a right token is always accepted: a limit of all harms nobody
            counted = {kind: (who.address, rate), f"{kind} of all": ("", all_there)}
        elif who.browser and not who.token:
            counted = {f"{kind} of all": (who.address, all_there), kind: (who.identity.name, rate)}
        else:
            counted = {kind: (who.identity.name, rate)}
        return all(self._count(each, *known) for each, known in counted.items())

    def _count(self, kind: str, who: str, rate: RateLimit) -> bool:
        now, visitors = self._clock(), self._left[kind]
        left, when = visitors.pop(who, (rate.burst, now))
        left = min(rate.burst, left + (now - when) * rate.each_second)
        allowed = left >= 1
        visitors[who] = (left - 1 if allowed else left), now
        while len(visitors) > VISITORS:
            visitors.popitem(last=False)
        return allowed
