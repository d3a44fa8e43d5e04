"""The canonical form of a `.puzzle` text."""
