"""Any numbered requirements document becomes a table of rules, references and limits.

The way of the data, one module a step: `reader` (file to raw pages or text), `layout` or `markup` (to lines),
`furniture` (what is no rule text), `candidates` and `numbering` (which line starts are numbers), `tables`,
`items` and `parser` (rules), then `references`, `quantities`, `terms` and `compilation` on the rules.
`document` runs them in this order.
"""
