"""A ladder: a tournament that never ends, whose players come and go."""

from ludograph.arena.ladder.folder import LadderFolder
from ludograph.arena.ladder.ladder import Ladder, Retention, UploadLimits
from ludograph.arena.ladder.running import LadderRun, RunLimits
from ludograph.arena.ladder.state import Entrant, State, read_state

__all__ = [
    "Entrant",
    "Ladder",
    "LadderFolder",
    "LadderRun",
    "Retention",
    "RunLimits",
    "State",
    "UploadLimits",
    "read_state",
]
