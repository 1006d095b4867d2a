"""Pictures of results: curves, tables, calculations and fields, the same bytes wherever they are drawn."""
