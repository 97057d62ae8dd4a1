"""The commands about your own players: made from a template, checked, debugged."""
