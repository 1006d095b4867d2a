"""Results of tests, calculations and simulations with a number that is known: what functional questions show."""
