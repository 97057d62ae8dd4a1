"""Moves entered in a terminal: a cursor on the board, and a line to type on."""
