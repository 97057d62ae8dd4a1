"""``ludograph tournament``: its command, its file, the running of it, its tables."""
