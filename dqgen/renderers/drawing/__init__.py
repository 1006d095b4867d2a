"""Drawings: orthographic views with hidden lines, dimensions placed together, a sheet around them."""
