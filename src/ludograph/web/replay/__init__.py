"""Recorded games: replays, advice, variations and puzzles."""
