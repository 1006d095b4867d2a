"""A benchmark package: written, checked, compared and exported."""
