"""JSON: a puzzle, a fitting or an exact cover by a documented schema (docs/formats/own.md, docs/puzzle.schema.json)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlec.diagnostics import Report, Source, suggestion
from puzzlec.engine.problem import ExactCover
from puzzlec.formats.json import cover as json_cover
from puzzlec.formats.json import fitting as json_fitting
from puzzlec.formats.json import puzzle as json_puzzle
from puzzlec.formats.json.checks import Checks
from puzzlec.formats.json.places import json_value
from puzzlec.formats.record import Choices, Format, Sign
from puzzlec.ir import Fitting, Puzzle
from puzzlec.language import Given
from puzzlec.lower.labels import Labelled
from puzzlec.resources import without_cycles

#: The version of the schema, under the key ``puzzlec``.
VERSION = 1

_HEAD = ("puzzlec", "level")

#: The levels, each with the required and the optional keys of an object.
LEVELS = {
    "puzzle": (json_puzzle.NEEDED, json_puzzle.OPTIONAL),
    "fitting": (json_fitting.NEEDED, json_fitting.OPTIONAL),
    "cover": (json_cover.NEEDED, json_cover.OPTIONAL),
}


def read_json(source: Source, report: Report, given: Given) -> Puzzle | Fitting | ExactCover:  # noqa: ARG001
    """Return the puzzle, fitting or exact cover of a JSON text, at the level that it names.

    Raises PuzzleError with the first syntax error of JSON, or with all other errors, each at its value.
    """
    with without_cycles():
        return _read(source, report)


def _read(source: Source, report: Report) -> Puzzle | Fitting | ExactCover:
    checks = Checks()
    value = json_value(source)
    level = _level(value, checks)
    checks.tell(source, report)
    needed, optional = LEVELS[level]
    found = checks.keys(value, (), f"a {level}", (*_HEAD, *needed), optional)
    # A missing key is reported once. Values that do not need it are checked anyway.
    missing = [key for key in needed if key not in found]
    what: Puzzle | Fitting | ExactCover | None = None
    if not missing:
        if level == "puzzle":
            what = json_puzzle.puzzle_of(found, checks, source, report)
        elif level == "fitting":
            what = json_fitting.fitting_of(found, checks)
        else:
            what = json_cover.cover_of(found, checks)
    checks.tell(source, report)
    assert what is not None
    return what


def _level(value: Any, checks: Checks) -> str:
    """Return the level that an object names; note a missing level and another version."""
    if not isinstance(value, dict):
        checks.wrong(value, (), "an object in braces")
        return ""
    if "puzzlec" not in value:
        checks.add("PZ274", "missing key `puzzlec`", (), help='add `"puzzlec": 1`, the version')
        return ""
    version = value["puzzlec"]
    if type(version) is not int or version != VERSION:
        checks.wrong(version, ("puzzlec",), f"the version {VERSION}")
        return ""
    if "level" not in value:
        checks.add("PZ274", "missing key `level`", (), help=f"add one of the levels {', '.join(LEVELS)}")
        return ""
    level = value["level"]
    if not isinstance(level, str) or level not in LEVELS:
        help = suggestion(level, LEVELS) if isinstance(level, str) else ()
        checks.wrong(level, ("level",), f"one of the levels {', '.join(LEVELS)}", help)
    return str(level)


def _write(what: Puzzle | Fitting | Labelled, choices: Choices) -> Iterator[str]:
    from puzzlec.formats.json.writing import write_json

    return write_json(what, choices)


FORMAT = Format(
    "json",
    (".json",),
    "JSON, by a documented schema",
    level="any",
    read=read_json,
    write=_write,
    recognise=(Sign(40, r'\s*+\{(?=[\s\S]*?"(?:puzzlec"\s*+:|level"\s*+:\s*+"(?:puzzle|fitting|cover)"))'),),
    place=210,
    largest=2**27,
    traits=("costs",),
)
