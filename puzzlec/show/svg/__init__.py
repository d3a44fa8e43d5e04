"""Pictures of puzzles as SVG, PNG and PDF: figures, letters as strokes, flat puzzles, solids, sheets and charts."""
