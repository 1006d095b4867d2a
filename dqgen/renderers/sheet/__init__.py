"""Pages of drawings that others made, as pictures with evidence."""
