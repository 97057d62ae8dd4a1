"""The games of a server: its first page, the page of each game, and forms of new games."""
