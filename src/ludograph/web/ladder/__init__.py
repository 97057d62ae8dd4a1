"""Ladders: their tables, participants and uploads of players."""
