"""The language server: answers requests of editors over the Language Server Protocol."""
