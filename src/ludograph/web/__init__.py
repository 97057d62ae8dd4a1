"""Web pages: play, watch, replay and analyze every declared game in a browser.

:func:`ludograph.web.app.application` is what a server runs.
"""
