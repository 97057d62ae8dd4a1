"""Search: written once against the rule contract, knowing no game."""
