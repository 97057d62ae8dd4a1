"""A ladder: a tournament that never ends, whose players come and go."""

from ludograph.arena.ladder.folder import Entrant, LadderFolder, State, read_state
from ludograph.arena.ladder.ladder import Ladder, UploadLimits
from ludograph.arena.ladder.running import LadderRun, RunLimits

__all__ = [
    "Entrant",
    "Ladder",
    "LadderFolder",
    "LadderRun",
    "RunLimits",
    "State",
    "UploadLimits",
    "read_state",
]
