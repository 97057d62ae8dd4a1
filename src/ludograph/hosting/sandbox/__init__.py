"""The sandbox of a player: the isolation of its process from the rest of the machine.

A *level* is selected by name, see :mod:`ludograph.players.isolation`. The player's process is
forked from one that has loaded all it needs, and enters its
:class:`~ludograph.hosting.sandbox.sandbox.Sandbox` itself: a sandbox that starts a new program
would cost every match a start of the interpreter.
"""
