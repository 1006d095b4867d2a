"""Drafts of specs: names of a design's parts, limits of a rulebook, and where the two meet."""
