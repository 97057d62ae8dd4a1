"""``ludograph compare``: which of two players is better."""
