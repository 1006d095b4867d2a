"""A `Design` in, pictures with their evidence out."""
