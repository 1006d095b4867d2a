"""Writers of drawings, a module a file format: each turns a `Page` into bytes, the same bytes for the same page."""
