"""Tournaments: schedules and ratings as pure functions of games."""
