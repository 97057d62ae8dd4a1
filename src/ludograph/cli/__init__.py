"""The command line: one file per group of commands, each importing the engine only when it runs."""
