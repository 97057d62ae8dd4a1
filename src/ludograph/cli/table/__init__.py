"""The board in a terminal as a table at which people play: a cursor, and a line to type on."""
