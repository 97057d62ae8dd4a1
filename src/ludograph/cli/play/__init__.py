"""One match from the command line: its options, its display in a terminal, entered moves."""
