"""HTP, the text protocol of Hex programs: our engine, for front ends and other referees."""
