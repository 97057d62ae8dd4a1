"""``ludograph replay``: a recorded game shown again, stepped through, or drawn into a file."""
