"""Protocols and formats for other programs: an HTP engine, and other formats of records."""
