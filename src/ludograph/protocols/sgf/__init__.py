"""Games of Hex in the Smart Game Format: as texts (``game``) and as records (``records``)."""

from ludograph.protocols.sgf.game import SgfGame, read_sgf, write_sgf
from ludograph.protocols.sgf.records import read, write

__all__ = ["SgfGame", "read", "read_sgf", "write", "write_sgf"]
