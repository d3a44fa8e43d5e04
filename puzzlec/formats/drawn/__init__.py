"""Drawn texts: pieces and boards as drawings, IQ Puzzler texts, and boards with some pieces on them."""
