"""People as players: the question to a person, and the answers besides a move.

How a person is asked is up to a :class:`Front`: lines of text here, a board with a cursor in the
command line.
"""

from ludograph.players.human.player import Front, HumanPlayer, Quit, Resignation, TakeBack, Turn

__all__ = ["Front", "HumanPlayer", "Quit", "Resignation", "TakeBack", "Turn"]
