"""Searches in which an author's functions replace some of the game's.

Players use ``searches``; ``setups`` makes the Setup type with the replaced rules; ``checks`` tests
the functions before a search uses them.
"""
