"""Carcassonne: lay tiles so that they fit, and close castles, roads and fields."""
