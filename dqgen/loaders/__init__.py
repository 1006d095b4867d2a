"""CAD and mesh files in, `Design` out."""
