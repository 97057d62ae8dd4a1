"""Web pages: play, watch, replay and analyze every declared game in a browser.

A server runs :func:`ludograph.web.app.application`.
"""
