"""An engine that plays Hex for other programs, by their commands of HTP."""
