"""JSON: a puzzle, a fitting or an exact cover by a documented schema (docs/formats/own.md, docs/puzzle.schema.json)."""
