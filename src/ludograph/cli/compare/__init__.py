"""``ludograph compare``: a test for the better of two players."""
