"""Limits of requests to the server: sizes, numbers, seconds."""

BODY = 64 * 1024
"""Bytes of what a page sends."""

RECORD = 4 * 1024 * 1024
"""Bytes of a record that is opened from a visitor's disk."""

VERTICES = 10_000
LENGTH = 200
"""Of a board, and of each of its sides."""

PREVIEWED = 900
"""Width times height of a board, up to which a form shows it."""

SEATS = 8

SECONDS = 10.0
"""Seconds for which a strategy may search for one move."""

MATCHES = 12
"""Matches that are played at a time, unless the server's options say otherwise."""

LISTENERS = 1000
"""Spectators at a time."""

OPENED = 16
"""Records of visitors that are kept in memory."""

PAUSE = 10.0
"""Seconds between two moves, at most, for those who watch."""

PLAYER = 4 * 1024 * 1024
"""Bytes of a player that is brought to a ladder."""

GETS = 1000
"""Requests of a visitor that read, in ten seconds."""

POSTS = 200
"""Those that do something, in ten seconds."""

UPLOADS = 10
"""Players that a visitor brings, in a minute."""

TRIES = 20
"""Tokens that are tried from an address, in a hundred seconds."""

ASKED_SECONDS = 1.0
"""For which a strategy thinks that a visitor asks what it would do."""

SOLVED_SECONDS = 5.0
"""For which a position is tried to be solved."""

EVALUATED_SECONDS = 0.2
"""For which a position of a recorded game is searched at most, for its curve."""

EVALUATION_SECONDS = 30.0
"""For all positions of a recorded game together."""

VARIATION_SECONDS = 0.5
"""For which the position behind moves that a visitor tries is searched."""

CHANCE_SECONDS = 1.5
"""For which all that chance can bring behind such moves is searched together."""

EVALUATED_MOVES = 1500
"""The most moves of a recorded game that is evaluated."""

PART_SECONDS = 1.2
"""For the part of an evaluation in one answer."""

PUZZLE_SECONDS = 10.0
"""For which puzzles are looked for in a recorded game."""

GAMES = 2000
"""Of a tournament that is started from a page."""

BOARD_NAME = 40
"""Characters of the name of a board that a visitor gives."""

EDITED_VERTICES = 1000
EDITED_EDGES = 5000
"""Of a board that is changed in the editor."""

SURFACE = 2 * 1024 * 1024
"""Bytes of a board that is drawn or brought."""
