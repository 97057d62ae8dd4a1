"""The latest uploads of visitors, kept in memory for a while: boards, and records of games."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from ludograph.errors import NotFound
from ludograph.web.server import limits

T = TypeVar("T")


def number_of(data: bytes) -> str:
    """Return the number of an upload with a content: equal for equal ones, and hard to guess."""
    return hashlib.blake2s(data, digest_size=10).hexdigest()


class LatestUploads(Generic[T]):
    """Keeps the latest uploads of a kind that were checked, by their numbers.

    Parameters
    ----------
    gone
        The sentence on an upload that is not kept any more.
    """

    def __init__(self, gone: str) -> None:
        self._gone = gone
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, T] = OrderedDict()

    def keep(self, number: str, upload: T) -> None:
        """Keep an upload until newer ones take its place."""
        with self._lock:
            self._kept[number] = upload
            self._kept.move_to_end(number)
            while len(self._kept) > limits.OPENED:
                self._kept.popitem(last=False)

    def __getitem__(self, number: str) -> T:
        """Return an upload; raise NotFound if it is not kept any more."""
        with self._lock:
            upload = self._kept.get(number)
        if upload is None:
            raise NotFound(self._gone)
        return upload
