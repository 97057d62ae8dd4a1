"""How far a player in a process of its own is kept from the rest of the machine.

A *level* is asked for by name, see :mod:`ludograph.players.isolation.levels`. The process that
is to become the player's is forked from one that has loaded all it needs, and goes into its
:class:`~ludograph.players.isolation.cell.Cell` by itself: a sandbox that starts a program anew
would cost every match a start of the interpreter.
"""
