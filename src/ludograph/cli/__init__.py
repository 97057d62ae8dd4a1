"""The command line: a file or a folder a command; the engine is imported when a command runs."""
