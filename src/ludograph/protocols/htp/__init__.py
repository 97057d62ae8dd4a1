"""HTP, the text protocol of Hex programs: an engine for front ends and other referees."""
