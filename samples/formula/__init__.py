"""A formula-style student race car: `model.build` makes it, `parameters` drives it, `make.py` writes it."""
