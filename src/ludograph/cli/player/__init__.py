"""Players of one's own: made from a template, checked, debugged."""
