"""One match from the command line: its options, what a terminal shows of it, entered moves."""
