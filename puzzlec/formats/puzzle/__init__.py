"""The puzzle language as a format."""
