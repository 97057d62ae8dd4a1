"""Hosting of foreign code: players in processes of their own, isolated and timed."""

from pathlib import Path

ROOT = str(Path(__file__).parents[2])
"""The folder of the package ``ludograph``, for processes without an installed one."""
