"""dqgen turns CAD files and a rulebook into a benchmark whose every answer is proved."""

__version__ = "0.1.0"
