"""Packages in the form of other evaluation harnesses, one module each."""
