"""Small games with known solutions, written against the rule contract."""
