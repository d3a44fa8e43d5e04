"""The graph of conflicts between placements, in several forms."""
