"""Models at the borders of the program: what it reads and writes. They import nothing else of dqgen."""
