"""Formats of tournaments: pure functions from finished games to those that come next."""
