"""The language server: what editors ask while a puzzle is typed, answered over the Language Server Protocol."""
