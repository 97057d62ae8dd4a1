"""Games of Hex in the Smart Game Format: its text (``syntax``), and the moves in it (``game``)."""

from ludograph.games.hex.sgf.game import HexGame, HexSgf, read_sgf, write_sgf

__all__ = ["HexGame", "HexSgf", "read_sgf", "write_sgf"]
