"""The formatter: the canonical form of a `.puzzle` text."""
