"""People as players: the question to a person, and the answers besides a move.

A :class:`Front` asks the person: with lines of text here, with a board and a cursor in the command
line.
"""

from ludograph.players.human.player import Front, HumanPlayer, Quit, Resignation, TakeBack, Turn

__all__ = ["Front", "HumanPlayer", "Quit", "Resignation", "TakeBack", "Turn"]
