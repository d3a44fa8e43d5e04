"""Lists of cells, as people paste them."""
