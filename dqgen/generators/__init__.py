"""Question makers: from a spec, a rulebook and designs to questions with their truth and proof, one module a kind."""
