"""The terminal and the process around a command: keyboard, screen, signals, standard streams."""
