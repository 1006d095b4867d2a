"""Geometry on a `Design`, in numpy alone: where things are, what they measure, what can be seen."""
