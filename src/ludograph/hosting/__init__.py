"""Hosting of other people's code: players in processes of their own, isolated and timed."""
