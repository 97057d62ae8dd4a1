"""``ludograph compare``: a test which of two players is better."""
