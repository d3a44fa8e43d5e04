"""Lists of cells, in the forms of web pages and programs."""
