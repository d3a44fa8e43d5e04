"""Polyform Puzzler's texts: tables of pieces, and solutions."""
