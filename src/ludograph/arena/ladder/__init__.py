"""A ladder: a tournament that never ends, whose players come and go."""

from ludograph.arena.ladder.declaration import Ladder, Retention
from ludograph.arena.ladder.folder import LadderFolder
from ludograph.arena.ladder.running import LadderRun, Limits
from ludograph.arena.ladder.state import Entrant, State, read_state

__all__ = [
    "Entrant",
    "Ladder",
    "LadderFolder",
    "LadderRun",
    "Limits",
    "Retention",
    "State",
    "read_state",
]
