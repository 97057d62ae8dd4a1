"""Ludograph: board games on any graph."""
