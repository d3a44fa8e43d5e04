"""Certificates: written for a puzzle, and checked alone or against a puzzle."""
