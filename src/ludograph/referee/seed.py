"""Seeds: one secret key determines every random choice of a match, tournament or ladder.

A key has 128 bits. A derived seed is a keyed hash (BLAKE2b, RFC 7693) of its purpose: a game of a
tournament, a draw of chance, a player's own choices. The hash is one-way: a player that knows its
own seed, and everything that chance has dealt so far, learns nothing about later draws. No process
of a player ever has a key that determines chance.
"""

from __future__ import annotations

import functools
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Self

import msgspec
import numpy as np

from ludograph.errors import InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.rules import Rng

KEY_BYTES = 16
WHOLE = re.compile(r"-?[0-9]{1,20}")
KEY = re.compile(f"[0-9a-fA-F]{{{2 * KEY_BYTES}}}")


@dataclass(frozen=True, slots=True)
class Seed:
    """A secret key, or the whole number that a person gave in its place.

    Parameters
    ----------
    number
        None for a key that was drawn. A small number can be found by trying all of them: a player
        that knows that a person gave one can foresee chance. The key comes from the number by a
        slow hash (scrypt, some 50 ms), once.
    """

    number: int | None = None
    _key: bytes = field(default=b"", repr=False)

    @classmethod
    def drawn(cls) -> Self:
        """Return a new secret, from the machine's source of random numbers."""
        return cls(None, secrets.token_bytes(KEY_BYTES))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the seed with this text: a whole number, or a key as 32 hexadecimal digits.

        Raises
        ------
        InvalidInput
            If it is neither.
        """
        if KEY.fullmatch(text):
            return cls(None, bytes.fromhex(text))
        if WHOLE.fullmatch(text):
            return cls(int(text))
        raise InvalidInput(
            f"a seed is a whole number or a key of {2 * KEY_BYTES} hexadecimal digits, "
            f"got {described(text)}"
        )

    def __str__(self) -> str:
        return self.key.hex() if self.number is None else str(self.number)

    @property
    def data(self) -> int | str:
        """The seed as JSON has it: its number, or the text of its key."""
        return str(self) if self.number is None else self.number

    @property
    def key(self) -> bytes:
        """The secret."""
        return self._key if self.number is None else _key_of_number(self.number)

    def child(self, *purpose: object) -> Seed:
        """Return the seed of a part, which reveals nothing about this seed or other parts.

        Parameters
        ----------
        purpose
            The purpose of the seed, as data that JSON can hold.
        """
        return Seed(None, self._hash(purpose))

    def whole(self, *purpose: object) -> int:
        """Return a whole number of 63 bits for a purpose."""
        return int.from_bytes(self._hash(purpose)[:8], "little") >> 1

    def rng(self, *purpose: object) -> Rng:
        """Return a generator state, ``uint64[1]``, for a purpose."""
        return np.frombuffer(bytearray(self._hash(purpose)[:8]), dtype=np.uint64)

    def start(self, index: int = 0) -> int:
        """Return the number by which a start of games is drawn.

        A start is public, and this number may be found from it. The number from a drawn key reveals
        nothing else. A number given by a person counts up from start to start, so that ``--seed 7``
        begins on the same board everywhere.
        """
        return self.whole("start", index) if self.number is None else self.number + index

    def _hash(self, purpose: tuple[object, ...]) -> bytes:
        text = msgspec.json.encode(purpose)
        return hashlib.blake2b(text, key=self.key, digest_size=KEY_BYTES).digest()


def as_seed(name: str, value: Seed | int | str | None) -> Seed:
    """Return the given value as a seed; for None, a new secret.

    Parameters
    ----------
    name
        The name in the error message.

    Raises
    ------
    InvalidInput
        If it is no seed.
    """
    if isinstance(value, Seed):
        return value
    if value is None:
        return Seed.drawn()
    try:
        if isinstance(value, str):
            return Seed.parse(value)
        if is_whole(value):
            return Seed(int(value))
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error}") from None
    raise InvalidInput(f"{name} must be a whole number or a key, got {described(value)}")


def player_seed(seed: Seed, seat: int) -> int:
    """Return the seed for the own choices of a seat's player, from that of its match."""
    return seed.whole("player", seat)


@functools.lru_cache(maxsize=4096)
def _key_of_number(number: int) -> bytes:
    """Return the key that stands for a whole number, slowly, so that few can be tried."""
    return hashlib.scrypt(
        str(number).encode(), salt=b"ludograph seed", n=2**14, r=8, p=1, dklen=KEY_BYTES
    )
