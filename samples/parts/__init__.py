"""Three machined parts for quick trials: a bracket, a flange and a shaft."""
