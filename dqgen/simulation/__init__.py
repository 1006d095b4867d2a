"""Linear elasticity on parts of a design: a mesh from exact geometry, a solution, and what it says of stress."""
