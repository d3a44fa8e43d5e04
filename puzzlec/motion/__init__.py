"""Taking assemblies apart: straight moves of sets of pieces, levels, and what holds pieces together."""
