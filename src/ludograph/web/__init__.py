"""Pages on which every declared game is played, watched and stepped through in a browser.

:func:`ludograph.web.app.application` is what a server runs.
"""
