"""``ludograph tournament``: its command, its file, its run, its tables."""
