"""Pages: play, watch and step through games in a browser; every declared game, by no line of its own.

:func:`ludograph.web.app.application` is what a server runs.
"""
