"""What has happened in a ladder, in a file that stays small."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

LIMIT = 1 << 20
"""Bytes of a file; when it is full it becomes the earlier one, of which there is one."""


class Journal:
    """Lines with their times."""

    def __init__(self, path: Path, limit: int = LIMIT) -> None:
        self._path, self._limit = path, limit

    def add(self, line: str) -> None:
        """Write a line."""
        when = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(f"{when} {line}\n")
                full = file.tell() > self._limit
            if full:
                self._path.replace(self._path.with_name(f"{self._path.name}.1"))
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self._path)) from None
