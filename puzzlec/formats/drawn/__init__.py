"""Drawn texts: drawings of pieces and boards, each cell one character."""
