"""JSON, by the schema of ``docs/puzzle.schema.json``: all three levels, faults with their places."""
