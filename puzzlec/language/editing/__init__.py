"""Changes of a puzzle as edits of its text, and what an editor shows at a position."""
