"""The sandbox of a player: the isolation of its process from the rest of the machine.

A *level* is asked for by name, see :mod:`ludograph.players.isolation`. The process that is to
become the player's is forked from one that has loaded all it needs, and goes into its
:class:`~ludograph.hosting.sandbox.sandbox.Sandbox` by itself: a sandbox that starts a program anew
would cost every match a start of the interpreter.
"""
