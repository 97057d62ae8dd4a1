"""Searches with some functions of an author, and the others of the game.

``searches`` holds what players use, ``setups`` makes the Setup type whose rules are replaced, and
``checks`` tries the functions before a search relies on them.
"""
