"""Event files, which TensorBoard shows: losses of rounds and results of matches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ludograph.errors import InvalidInput

FLUSH_SECONDS = 5


class EventFiles:
    """The event files of a run.

    Parameters
    ----------
    folder
        Each start of a run writes a file of its own there.

    Raises
    ------
    InvalidInput
        If tensorboardX is missing, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from tensorboardX import SummaryWriter  # noqa: PLC0415  (few runs write event files)
        except ImportError:
            raise InvalidInput(
                "--tensorboard needs the package tensorboardX: pip install 'ludograph[learn]'"
            ) from None
        try:
            self.writer = SummaryWriter(str(folder), flush_secs=FLUSH_SECONDS)
        except OSError as error:
            raise InvalidInput(f"{folder}: {error.strerror}") from None

    def add(self, rounds: int, values: Mapping[str, float]) -> None:
        """Add values by name, after a number of rounds."""
        for name, value in values.items():
            self.writer.add_scalar(name, value, rounds)

    def close(self) -> None:
        """Write what is not yet in the file."""
        self.writer.close()
