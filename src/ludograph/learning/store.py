"""The folder of a run: its settings, samples, checkpoint, network, and curve.

Each file except the curve is written as a whole or not at all. No file holds pickled objects.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludograph.documents import declare_folder, replacing
from ludograph.errors import InvalidInput
from ludograph.learning.samples import Samples
from ludograph.search.network.file import DamagedArchive, read_arrays

FORMAT = 1
"""The version; it rises when the meaning of the files changes."""

RUN, CHECKPOINT, CURVE = "run.json", "checkpoint.npz", "curve.jsonl"
NETWORK, BEST = "network.npz", "best.npz"

ROUND = re.compile(r"round-([0-9]{5,})\.npz")

ABOUT = "about"

Arrays = dict[str, Any]


class RunFolder:
    """The folder of a run.

    Parameters
    ----------
    settings
        The settings of the run, as JSON-able data. A folder of a run with other settings is
        refused.

    Raises
    ------
    InvalidInput
        If it has other content, another process uses it, or it cannot be made.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path = path
        declare_folder(path / RUN, "run", FORMAT, settings)
        try:  # held until the process ends
            fcntl.lockf(os.open(path / RUN, os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidInput(f"{path}: another command is learning in this folder now") from None

    def write_round(self, number: int, boards: Sequence[Samples]) -> None:
        """Store the samples of a round, one for each board."""
        arrays = {
            f"{board}.{name}": array
            for board, samples in enumerate(boards)
            for name, array in samples._asdict().items()
        }
        self._write_arrays(self._round(number), arrays)

    def read_round(self, number: int) -> list[Samples] | None:
        """Return the samples of a round by board; None if there are none.

        Raises
        ------
        InvalidInput
            If the file is damaged.
        """
        found = self._read_arrays(self._round(number))
        if found is None:
            return None
        arrays, _ = found
        boards = 1 + max(int(name.partition(".")[0]) for name in arrays)
        try:
            return [
                Samples(**{name: arrays[f"{board}.{name}"] for name in Samples._fields})
                for board in range(boards)
            ]
        except KeyError as error:
            path = self.path / self._round(number)
            raise InvalidInput(f"{path}: it has no array {error.args[0]}") from None

    def drop_rounds(self, first_kept: int) -> None:
        """Remove the samples of rounds before this one."""
        for path in self.path.iterdir():
            match = ROUND.fullmatch(path.name)
            if match and int(match[1]) < first_kept:
                path.unlink(missing_ok=True)

    def write_checkpoint(self, arrays: Arrays, about: Any) -> None:
        """Store the state of learning."""
        self._write_arrays(CHECKPOINT, arrays, about)

    def read_checkpoint(self) -> tuple[Arrays, Any] | None:
        """Return the state of learning, or None; raise InvalidInput if it is damaged."""
        return self._read_arrays(CHECKPOINT)

    def add_to_curve(self, points: Sequence[Mapping[str, Any]]) -> None:
        """Add points to the curve, a line each."""
        lines = "".join(json.dumps(dict(point), ensure_ascii=False) + "\n" for point in points)
        path = self.path / CURVE
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(lines)
        except OSError as error:
            raise InvalidInput(f"{path}: {error.strerror}") from None

    def write_text(self, name: str, text: str) -> None:
        """Write a file for people, beside those of the run."""
        self._write(name, text.encode())

    def curve(self) -> list[dict[str, Any]]:
        """Return the points of the curve; a last line that was cut off is left out."""
        path = self.path / CURVE
        if not path.exists():
            return []
        found = []
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found

    @property
    def network(self) -> Path:
        """The file of the network at the last match."""
        return self.path / NETWORK

    @property
    def best(self) -> Path:
        """The file of the newest network that no match has shown to be weaker than an earlier."""
        return self.path / BEST

    def _round(self, number: int) -> str:
        return f"round-{number:05}.npz"

    def _write_arrays(self, name: str, arrays: Arrays, about: Any = None) -> None:
        content = io.BytesIO()
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        kept: Arrays = {ABOUT: text, **arrays}
        # Like np.savez_compressed, which takes longer than the games on a GPU.
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            for key, array in kept.items():
                with file.open(f"{key}.npy", "w", force_zip64=True) as part:
                    np.lib.format.write_array(part, np.asanyarray(array), allow_pickle=False)
        self._write(name, content.getvalue())

    def _read_arrays(self, name: str) -> tuple[Arrays, Any] | None:
        path = self.path / name
        if not path.exists():
            return None
        try:
            arrays = read_arrays(path)
            about = json.loads(arrays.pop(ABOUT).tobytes())
        except (OSError, ValueError, KeyError, DamagedArchive) as error:
            raise InvalidInput(f"{path}: the file is damaged: {error}") from None
        return arrays, about

    def _write(self, name: str, content: bytes) -> None:
        """Write a file as a whole or not at all."""
        try:
            with replacing(self.path / name) as part:
                part.write_bytes(content)
        except OSError as error:
            raise InvalidInput(f"{self.path / name}: {error.strerror}") from None
