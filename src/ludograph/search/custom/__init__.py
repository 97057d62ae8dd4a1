"""Searches of which some parts are the author's own functions, and the rest the game's.

``searches`` holds what players use, ``setups`` makes the Setup type whose rules are replaced, and
``checks`` tries the functions before a search relies on them.
"""
