"""``ludograph ladder``: its commands, its file, its table and reports."""
