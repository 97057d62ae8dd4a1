"""Boards and positions that visitors make."""
