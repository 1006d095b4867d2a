"""What a `Sheet` says: lines of text, notes, dimensions, tables, title block and marks, each with its place."""
