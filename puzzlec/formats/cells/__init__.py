"""Lists of cells by their coordinates, in the forms of web pages and programs."""
