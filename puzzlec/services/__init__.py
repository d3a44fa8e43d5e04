"""Programs that answer requests: the local page and the language server."""
