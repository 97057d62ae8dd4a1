"""What speaks to other programs about our games: an HTP engine, and records in other formats."""
