"""Matches that people play or watch in a browser."""
