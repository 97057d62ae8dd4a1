"""Positions, moves and thoughts as data for the browser's code."""
