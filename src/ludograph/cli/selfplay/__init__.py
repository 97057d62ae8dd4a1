"""``ludograph selfplay``: games of players as arrays for supervised learning."""
