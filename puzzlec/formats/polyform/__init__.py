"""Polyform Puzzler's texts: pieces in the form of its Python files, or solutions in the form of its output."""
