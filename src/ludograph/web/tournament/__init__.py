"""Tournaments: started by a form, shown as tables."""
