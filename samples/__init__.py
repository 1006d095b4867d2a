"""The project's own models: one car and three machined parts, all parametric."""
