"""Flat pieces for a laser: where they lie on a sheet, and their outlines."""
