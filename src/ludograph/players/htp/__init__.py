"""HTP, the text protocol of Hex programs: our engine, and other programs as players here."""
