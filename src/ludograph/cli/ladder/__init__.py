"""``ludograph ladder``: its commands and its file."""
