"""Pictures of puzzles as SVG: figures, letters as strokes, flat puzzles, sheets and charts; and PNG made of them."""
