"""Any numbered requirements document becomes a table of rules, references and limits.

The way of the data, one module a step: `reader` (file to raw pages or markup), `layout` and `markup` (to
lines), `furniture` (what is no rule text), `tables`, `numbering` (which line starts are rule numbers),
`parser` (rules), then `references`, `quantities`, `terms` and `compilation` on the rules. `document` runs
them in this order.
"""
