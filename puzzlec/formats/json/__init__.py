"""JSON, by the schema of ``docs/puzzle.schema.json``: all three levels, errors with their positions."""
